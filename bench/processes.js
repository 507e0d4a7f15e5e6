// @ts-check
/**
 * Starts the measured servers as separate processes, and reads their CPU time and memory. Linux
 * only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** @typedef {{ name: string, url: string, pid: number, stop: () => Promise<void> }} Target */

const READY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 5;
/**
 * The unit of times in `/proc/<pid>/stat`, which does not depend on the kernel's timer frequency.
 */
const TICK_MS = 10;

/** High enough never to be reached. */
const QUOTA = '100000';

/**
 * The service as in production.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.folder where its log goes, and its data if it is embedded
 * @param {Record<string, string>} options.env
 * @param {string[]} [options.nodeOptions]
 */
export const startService = ({ name, folder, env, nodeOptions = [] }) =>
  start({
    name,
    folder,
    command: [...nodeOptions, 'dist/src/main.js'],
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      SHUTDOWN_DELAY_SECONDS: '0',
      RATE_LIMIT_AUTHENTICATED_PER_HOUR: QUOTA,
      RATE_LIMIT_REPORTS_PER_HOUR: QUOTA,
      RATE_LIMIT_AUTH_PER_MINUTE: QUOTA,
      RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE: QUOTA,
      ...env,
    },
  });

/** @param {{ folder: string, env: Record<string, string>, nodeOptions?: string[] }} options */
export const startBaseline = ({ folder, env, nodeOptions = [] }) =>
  start({
    name: 'baseline',
    folder,
    command: [...nodeOptions, 'bench/baseline-server.js'],
    env,
  });

/**
 * @param {{ name: string, folder: string, command: string[], env: Record<string, string> }} options
 * @returns {Promise<Target>}
 */
async function start({ name, folder, command, env }) {
  const port = await freePort();
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      const output = readFileSync(join(folder, `${name}.log`), 'utf8');
      throw new Error(`${name} does not start:\n${output}`);
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
  return {
    name,
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @param {Target[]} targets */
export const stopAll = (targets) => Promise.all(targets.map((target) => target.stop()));

/** @param {string} url */
async function isReady(url) {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** CPU time since the process started, of all its threads, user and system. @param {number} pid */
export function cpuMilliseconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory that is resident now. @param {number} pid */
export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
