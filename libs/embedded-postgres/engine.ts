import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { EngineOptions, EngineReply, EngineRequest } from './engine.worker.js';

/** The engine ended or did not respond in time; transactions that it had not committed are lost. */
export class EngineLostError extends Error {
  /** `crash_shutdown`, the code of a server that crashed. */
  readonly code = '57P02';
}

interface Call {
  resolve: (bytes: Uint8Array<ArrayBuffer>) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

interface EngineLimits {
  /**
   * Maximum wait for a response, in milliseconds; `statement_timeout` does not work in the engine.
   */
  statementTimeoutMs: number;
}

/** Minimum time between attempts to start the thread, such as while the disk is full. */
const RELAUNCH_DELAY_MS = 1000;

/**
 * An engine that neither got nor completed a statement for longer than this is not busy but hangs,
 * or is not used.
 */
const MAX_BUSY_MS = 10_000;

/** The stack of the thread; must exceed the engine's `max_stack_depth`. */
const STACK_MB = 64;

/** Small, so that the buffers of queries are collected early. */
const YOUNG_GENERATION_MB = 8;

/**
 * V8 flags for the new thread. A single compilation task saves the memory of parallel compilers.
 */
const THREAD_FLAGS = [
  '--wasm-num-compilation-tasks=1',
  ...(hasCostlyOptimizer() ? ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] : []),
];

/**
 * Whether the optimizing compiler is V8 13 (Node 24), which takes 500 MB for one function of the
 * engine. Without it aggregates take twice the CPU time and single writes 30 % more
 * (docs/operations.md).
 */
function hasCostlyOptimizer(): boolean {
  return process.versions.v8.startsWith('13.');
}

/**
 * PostgreSQL in a worker thread, so that queries do not block the event loop. A thread that ends or
 * hangs is replaced: committed data is in the write-ahead log, open transactions are rolled back.
 */
export class Engine {
  private readonly calls = new Map<number, Call>();
  private readonly abandoned = new WeakSet<Worker>();
  private lastCallId = 0;
  private isClosing = false;
  private worker: Promise<Worker>;
  private launchFailedAt = 0;
  private activeAt = -Infinity;

  /** @param onLost called for every lost engine, before its replacement starts */
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

  /** Whether it works, so that a statement without a response only has to wait for others. */
  isBusy(): boolean {
    return performance.now() - this.activeAt < MAX_BUSY_MS;
  }

  /**
   * Runs a batch of protocol messages and returns the protocol messages of the response.
   *
   * @throws EngineLostError
   */
  async execute(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const worker = await this.running();
    return new Promise((resolve, reject) => {
      const id = ++this.lastCallId;
      const timer = setTimeout(() => {
        this.replaceWorker(
          worker,
          `A statement exceeded the timeout of ${this.limits.statementTimeoutMs} ms`,
        );
      }, this.limits.statementTimeoutMs);
      timer.unref();
      this.calls.set(id, { resolve, reject, timer });
      this.activeAt = performance.now();
      worker.postMessage({ type: 'execute', id, bytes } satisfies EngineRequest);
    });
  }

  /** Replaces the thread, because its state is unknown. */
  async abandon(reason: string): Promise<void> {
    this.replaceWorker(await this.worker, reason);
  }

  /** Shuts PostgreSQL down cleanly, so that the next start needs no recovery. */
  async close(): Promise<void> {
    this.isClosing = true;
    const worker = await this.worker.catch(() => undefined);
    if (!worker) return;
    await new Promise<void>((resolve) => {
      worker.on('message', (reply: EngineReply) => {
        // The next start recovers from a failure, such as a full disk.
        if (reply.type === 'closed' || reply.type === 'failure') resolve();
      });
      worker.once('exit', () => resolve());
      worker.postMessage({ type: 'close' } satisfies EngineRequest);
    });
    await worker.terminate();
  }

  /**
   * The current thread; a replacement that failed to start is launched again, because the disk may
   * have space now.
   */
  private running(): Promise<Worker> {
    const { worker } = this;
    return worker.catch((error: unknown) => {
      const isTooEarly = performance.now() - this.launchFailedAt < RELAUNCH_DELAY_MS;
      // Only the first of several callers launches: two engines on one folder would lose data.
      if (this.worker === worker && !isTooEarly) this.worker = this.launch();
      if (this.worker === worker) throw error;
      return this.worker;
    });
  }

  private launch(): Promise<Worker> {
    for (const flag of THREAD_FLAGS) setFlagsFromString(flag);
    const worker = new Worker(new URL('./engine.worker.js', import.meta.url), {
      workerData: this.options,
      resourceLimits: { stackSizeMb: STACK_MB, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      // The thread does not get the flags of the main process, such as --input-type.
      execArgv: [],
    });
    const launched = new Promise<Worker>((resolve, reject) => {
      const fail = (reason: string): void => {
        this.launchFailedAt = performance.now();
        reject(new EngineLostError(`The engine does not start: ${reason}`));
      };
      worker.once('error', ({ message }) => fail(message));
      worker.once('exit', (code) => fail(`it exited with code ${code}`));
      worker.on('message', (reply: EngineReply) => {
        if (reply.type === 'ready') resolve(worker);
        else if (reply.type === 'result') this.settle(reply.id, reply.bytes);
        // An internal error, not an SQL error: the state of the session is unknown.
        else if (reply.type === 'failure') this.replaceWorker(worker, reply.message);
      });
    });
    launched.then(
      () => {
        worker.on('error', (error) => this.replaceWorker(worker, error.message));
        worker.on('exit', (code) =>
          this.replaceWorker(worker, `The engine exited with code ${code}`),
        );
      },
      () => undefined, // Reported to the callers that await the worker.
    );
    return launched;
  }

  private settle(id: number, bytes: Uint8Array<ArrayBuffer>): void {
    const call = this.calls.get(id);
    if (!call) return;
    this.calls.delete(id);
    clearTimeout(call.timer);
    this.activeAt = performance.now();
    call.resolve(bytes);
  }

  private replaceWorker(worker: Worker, reason: string): void {
    if (this.isClosing || this.abandoned.has(worker)) return;
    this.abandoned.add(worker);
    this.activeAt = -Infinity;
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
