import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy with a fixed address, like a virtual IP: a new connection goes to the current target
 * and stays there when the target changes.
 */
export class Relay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {}

  /** @param target the port of the first server */
  static async start(target: number): Promise<Relay> {
    const server = createServer({ noDelay: true });
    const relay = new Relay(server, target);
    server.on('connection', (client) => {
      const upstream = connect({ port: relay.target, host: '127.0.0.1', noDelay: true });
      client.pipe(upstream).pipe(client);
      relay.sockets.add(client);
      client.on('close', () => relay.sockets.delete(client));
      client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  /** Sets the server of new connections. */
  switchTo(target: number): void {
    this.target = target;
  }

  /** The URL of a server's database through this proxy. */
  url(serverUrl: string): string {
    const url = new URL(serverUrl);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
