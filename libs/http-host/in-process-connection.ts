import type { Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';

/**
 * What the server uses of a socket beside the stream. It has no timeouts: both ends are in this
 * process.
 */
interface SocketMembers {
  remoteAddress: string | undefined;
  setTimeout: () => unknown;
}

/**
 * Connects to a server of this process without a socket, so that the process can send requests to
 * itself. The connection counts towards no limit of the server.
 *
 * @param remoteAddress the address of the client for which requests are sent
 * @returns the end of the client; that of the server closes with it, and it with that
 */
export function connectInProcess(server: Server, remoteAddress: string | undefined): Duplex {
  const [client, accepted] = duplexPair();
  const members: SocketMembers = { remoteAddress, setTimeout: () => accepted };
  Object.assign(accepted, members);
  client.once('close', () => accepted.destroy());
  accepted.once('close', () => client.destroy());
  server.emit('connection', accepted);
  return client;
}
