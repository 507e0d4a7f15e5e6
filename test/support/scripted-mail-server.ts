import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Answers by the first word of a command; `OK` to all others. */
type Answers = Record<string, string>;

const ANSWERS: Answers = { DATA: '354 Go on', AUTH: '235 OK' };

/** A server without encryption that keeps all it receives, and takes whatever it is sent. */
export class ScriptedMailServer {
  received = '';
  /** Instead of the usual ones. */
  answers: Answers = {};
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(readonly host = '127.0.0.1') {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        this.received += chunk.toString('latin1');
        for (const line of chunk.toString('latin1').trimEnd().split('\r\n')) {
          const [command = ''] = line.split(' ');
          socket.write(`${{ ...ANSWERS, ...this.answers }[command] ?? '250 OK'}\r\n`);
        }
      });
      socket.write('220 Ready\r\n');
    });
  }

  async start(): Promise<void> {
    this.server.listen(0, this.host);
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }
}
