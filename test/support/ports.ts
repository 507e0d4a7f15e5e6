import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to connections and to servers that name none, so that a
 * port is still free when its server starts, or starts again.
 */
const FIRST_PORT = 20_000;
const MAX_WORKERS = 20;
const PORTS_PER_WORKER = 500;

const worker = Number(process.env.JEST_WORKER_ID ?? 0) % MAX_WORKERS;
let next = randomInt(PORTS_PER_WORKER);

/** A free TCP port, which this function gives to no other worker of Jest. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_PER_WORKER; tried += 1) {
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + (next++ % PORTS_PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
