import { Worker } from 'node:worker_threads';
import type { EngineOptions, EngineReply, EngineRequest } from './engine.worker.js';

/** The engine died, or did not answer in time; what it had not acknowledged did not happen. */
export class EngineLostError extends Error {
  /** As a server says of itself when it crashed: `crash_shutdown`. */
  readonly code = '57P02';
}

interface Call {
  resolve: (bytes: Uint8Array) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

export interface EngineLimits {
  /** Longest wait for one answer, in milliseconds; the engine itself has no working timeout. */
  statementTimeoutMs: number;
}

/** Of a thread that could not start: a disk that is full stays full for a while. */
const PAUSE_BEFORE_RELAUNCH_MS = 1000;

/** Bounds the recursion of the SQL engine, together with its own `max_stack_depth`. */
const STACK_MB = 64;

/**
 * PostgreSQL in a worker thread, so that queries leave the event loop free. A thread that dies or
 * hangs is replaced: committed data is in the write-ahead log, the rest is rolled back.
 */
export class Engine {
  private readonly calls = new Map<number, Call>();
  private readonly abandoned = new WeakSet<Worker>();
  private lastCall = 0;
  private closing = false;
  private worker: Promise<Worker>;
  private failedAt = 0;

  /** @param onLost told of every loss, before the replacement starts */
  constructor(
    private readonly options: EngineOptions,
    private readonly limits: EngineLimits,
    private readonly onLost: (error: EngineLostError) => void,
  ) {
    this.worker = this.launch();
  }

  /** @throws EngineLostError when it cannot start */
  async ready(): Promise<void> {
    await this.worker;
  }

  /** Runs a batch of protocol messages and gives the protocol messages that answer it. */
  async execute(bytes: Uint8Array): Promise<Uint8Array> {
    const worker = await this.running();
    return new Promise((resolve, reject) => {
      const id = ++this.lastCall;
      const timer = setTimeout(() => {
        this.lose(worker, `A statement ran over ${this.limits.statementTimeoutMs} ms`);
      }, this.limits.statementTimeoutMs);
      timer.unref();
      this.calls.set(id, { resolve, reject, timer });
      worker.postMessage({ type: 'execute', id, bytes } satisfies EngineRequest);
    });
  }

  /** Replaces the thread: its state is not to be trusted any more. */
  async abandon(reason: string): Promise<void> {
    this.lose(await this.worker, reason);
  }

  /** Shuts PostgreSQL down in order: the next start needs no recovery. */
  async close(): Promise<void> {
    this.closing = true;
    const worker = await this.worker.catch(() => undefined);
    if (!worker) return;
    await new Promise<void>((resolve) => {
      worker.on('message', (reply: EngineReply) => {
        // Where it cannot, as on a full disk, the next start recovers.
        if (reply.type === 'closed' || reply.type === 'failure') resolve();
      });
      worker.once('exit', () => resolve());
      worker.postMessage({ type: 'close' } satisfies EngineRequest);
    });
    await worker.terminate();
  }

  /** A replacement that could not start is tried anew: the disk may have room again. */
  private running(): Promise<Worker> {
    const { worker } = this;
    return worker.catch((error: unknown) => {
      const isTooEarly = performance.now() - this.failedAt < PAUSE_BEFORE_RELAUNCH_MS;
      // Two engines on one folder would lose data: of several who wait, the first one tries.
      if (this.worker === worker && !isTooEarly) this.worker = this.launch();
      if (this.worker === worker) throw error;
      return this.worker;
    });
  }

  private launch(): Promise<Worker> {
    const worker = new Worker(new URL('./engine.worker.js', import.meta.url), {
      workerData: this.options,
      resourceLimits: { stackSizeMb: STACK_MB },
      // Flags of the service's own process, such as --input-type, are not for this file.
      execArgv: [],
    });
    const launched = new Promise<Worker>((resolve, reject) => {
      const fail = (reason: string): void => {
        this.failedAt = performance.now();
        reject(new EngineLostError(`The engine does not start: ${reason}`));
      };
      worker.once('error', ({ message }) => fail(message));
      worker.once('exit', (code) => fail(`it ended with ${code}`));
      worker.on('message', (reply: EngineReply) => {
        if (reply.type === 'ready') resolve(worker);
        else if (reply.type === 'result') this.settle(reply.id, reply.bytes);
        // Thrown where SQL errors are answered: the state of the session is not known.
        else if (reply.type === 'failure') this.lose(worker, reply.message);
      });
    });
    launched.then(
      () => {
        worker.on('error', (error) => this.lose(worker, error.message));
        worker.on('exit', (code) => this.lose(worker, `The engine ended with ${code}`));
      },
      () => undefined, // Whoever awaits the worker gets the error.
    );
    return launched;
  }

  private settle(id: number, bytes: Uint8Array): void {
    const call = this.calls.get(id);
    if (!call) return;
    this.calls.delete(id);
    clearTimeout(call.timer);
    call.resolve(bytes);
  }

  private lose(worker: Worker, reason: string): void {
    if (this.closing || this.abandoned.has(worker)) return;
    this.abandoned.add(worker);
    const error = new EngineLostError(reason);
    this.onLost(error);
    for (const call of this.calls.values()) {
      clearTimeout(call.timer);
      call.reject(error);
    }
    this.calls.clear();
    this.worker = worker.terminate().then(() => this.launch());
    this.worker.catch(() => undefined);
  }
}
