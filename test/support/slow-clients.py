"""Clients that read slowly over a network: with few and small segments, so that the system buffers little for them.

Reads a JSON line: {"port", "connections", "request", "bytes", "seconds"}. Each client sends the request, and reads so many bytes
of its response every so many seconds, none with 0. Prints a line when all have sent theirs. After the end of its input it prints
{"statuses", "closed"}: the responses that have begun, by status, and how many connections were closed by the service.
"""
import json
import resource
import select
import socket
import sys
import time

RECEIVE_BUFFER = 4096
SEGMENT = 536

options = json.loads(sys.stdin.readline())
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class SlowClient:
    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
        self.received = b""
        self.is_closed = False
        try:
            self.socket.connect(("127.0.0.1", options["port"]))
            self.socket.sendall(options["request"].encode())
        except OSError:
            self.is_closed = True
        self.socket.setblocking(False)

    def read(self, size):
        if self.is_closed:
            return
        try:
            part = self.socket.recv(size)
            self.is_closed = part == b""
            self.received = self.received or part
        except BlockingIOError:
            pass
        except OSError:
            self.is_closed = True


def status_of(client):
    return client.received[9:12].decode()


clients = []
while len(clients) < options["connections"]:
    clients.append(SlowClient())
print("sent", flush=True)
while not select.select([sys.stdin], [], [], options["seconds"])[0]:
    for client in clients:
        client.read(options["bytes"])
for client in clients:
    client.read(12)
statuses = [status_of(client) for client in clients if client.received]
print(
    json.dumps(
        {
            "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
            "closed": sum(client.is_closed for client in clients),
        }
    )
)
