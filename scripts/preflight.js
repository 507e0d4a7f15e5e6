// @ts-check
/**
 * Reports a port or a data folder that is in use before packages are installed and sources compiled, which can take
 * a minute. The service checks both by itself, and all other settings too: whatever cannot be checked here is checked there.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { folderSocketAddress } from '../src/platform/embedded-postgres/folder-socket.js';

if (existsSync('.env')) loadEnvFile('.env');
// An empty variable counts as not set.
const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
const port = Number(set.PORT ?? 3000);
const host = set.HOST ?? '0.0.0.0';
const dataDir = resolve(set.DATA_DIR ?? './data');

/** @param {number} number */
const isPort = (number) => Number.isInteger(number) && number > 0 && number < 65_536;

async function isPortInUse() {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}

async function isFolderInUse() {
  const socket = connect(folderSocketAddress(dataDir));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** @param {string} problem */
function refuse(problem) {
  console.error(problem);
  process.exit(1);
}

if (set.DATABASE_URL === undefined && existsSync(dataDir) && (await isFolderInUse())) {
  refuse(`The data folder ${dataDir} is in use by another process; stop that one first`);
}
if (isPort(port) && (await isPortInUse())) {
  refuse(`Port ${port} is in use; set PORT to another one`);
}
