import { unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { OperatorError } from '../errors/domain-error.js';
import { folderSocketAddress } from './folder-socket.js';

export class FolderInUseError extends OperatorError {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process; stop that one first`);
  }
}

/**
 * Locks a data folder for this process, because two engines on one folder would lose committed data.
 *
 * The lock is a listening local socket, which the kernel closes when the process ends for any reason. Other
 * containers or machines that share the folder do not see it.
 *
 * @returns a function that releases the lock
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const address = folderSocketAddress(folder);
  let server: Server;
  try {
    server = await listen(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (!isFile(address) || (await acceptsConnections(address))) throw new FolderInUseError(folder);
    // A socket file remains after its process has ended; no process accepts connections on this one.
    unlinkSync(address);
    server = await listen(address);
  }
  server.unref();
  return () =>
    new Promise((resolve) => {
      server.ref().close(() => resolve());
    });
}

function isFile(address: string): boolean {
  return address.startsWith('/');
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function acceptsConnections(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
