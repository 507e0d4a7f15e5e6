import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import type { ServiceProcess } from './service-process.js';

const SCRIPT = fileURLToPath(new URL('slow-clients.py', import.meta.url));

/** Node cannot set the size of the segments and of the buffer of a connection. */
export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

export interface SlowReading {
  connections: number;
  /** What each of them sends. */
  request: string;
  /** What each of them reads at a time. */
  bytes?: number;
  /** Between the reads. */
  seconds?: number;
}

export interface Outcome {
  /** The number of responses that have begun, by status. */
  statuses: Record<string, number>;
  /** Connections that the service has closed. */
  closed: number;
}

/** Clients, in a process of their own, that read their responses slowly, as over a network. */
export class SlowClients {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly output: Promise<string>;
  private hasSent = false;

  constructor(
    { origin }: ServiceProcess,
    { connections, request, bytes = 0, seconds = 1 }: SlowReading,
  ) {
    this.child = spawn('python3', [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.stdout.once('data', () => (this.hasSent = true));
    this.output = text(this.child.stdout);
    const port = Number(new URL(origin).port);
    const options = { port, connections, request, bytes, seconds };
    this.child.stdin.write(`${JSON.stringify(options)}\n`);
  }

  /** Waits until all have sent their requests. */
  async sent(): Promise<void> {
    await eventually('the requests are sent', () => this.hasSent, 120_000);
  }

  /** Closes the connections. */
  async end(): Promise<Outcome> {
    this.child.stdin.end();
    const lines = (await this.output).trim().split('\n');
    return JSON.parse(lines.at(-1) ?? '') as Outcome;
  }
}
