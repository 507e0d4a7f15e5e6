import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class FolderInUseError extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process; stop that one first`);
  }
}

/**
 * Lets one process at a time have a data folder: two engines on one folder lose committed data.
 *
 * The lock is a listening local socket, which the kernel frees when the process dies, however it dies.
 * It is not seen from another container or machine that shares the folder.
 *
 * @returns the release
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const address = socketAddress(folder);
  let server: Server;
  try {
    server = await listen(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (!isFile(address) || (await answers(address))) throw new FolderInUseError(folder);
    // A socket file outlives its process; nobody answers there, so it is a leftover.
    unlinkSync(address);
    server = await listen(address);
  }
  server.unref();
  return () =>
    new Promise((resolve) => {
      server.ref().close(() => resolve());
    });
}

/** Linux: an abstract socket. Windows: a named pipe. Elsewhere: a socket file. */
function socketAddress(folder: string): string {
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const name = `expense-service-${digest}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
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

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
