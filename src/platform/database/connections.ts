import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { SETTINGS } from '../config/config.module.js';
import { completesWithin } from '../process/completes-within.js';
import { FairQueue } from '../process/fair-queue.js';
import type { UserId } from '../values/user-id.js';
import { poolOf } from './data-source.js';

/** The part of the pool that the requests of one user may use at a time. */
const SHARE = 1 / 3;

/** The error that the pool reports. */
const timedOut = (): Error => new Error('timeout exceeded when trying to connect');

/**
 * Gives out the connections of the pool: to each user at most a third of them, and to waiting users
 * in turns, so that one user's requests do not keep those of others waiting. Work without a user
 * takes turns as one more user, without a share.
 */
@Injectable()
export class Connections {
  /** Undefined while rate limits are off. */
  private readonly queue?: FairQueue<UserId | undefined>;
  private readonly timeoutMs?: number;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) { rateLimits }: { rateLimits: { enabled: boolean } },
  ) {
    const { max, connectionTimeoutMillis } = poolOf(dataSource).options;
    this.timeoutMs = connectionTimeoutMillis;
    if (!rateLimits.enabled) return;
    const share = Math.max(1, Math.floor(max * SHARE));
    this.queue = new FairQueue({
      max,
      maxOfKey: (user) => (user === undefined ? max : share),
      timeoutMs: this.timeoutMs,
      refusal: timedOut,
    });
  }

  /** The requests that wait for a connection. */
  get waitingCount(): number {
    return poolOf(this.dataSource).waitingCount + (this.queue?.waitingCount ?? 0);
  }

  /**
   * Runs work on a connection, all its statements on the same one.
   *
   * @param user whose share is used
   * @throws what the work throws, or an error like the pool's if it has waited too long
   */
  async use<Result>(
    user: UserId | undefined,
    work: (runner: QueryRunner) => Promise<Result>,
  ): Promise<Result> {
    if (!this.queue) return this.connect(work);
    if (this.queue.isFree(user)) {
      const end = this.queue.start(user);
      return this.connect(work).finally(end);
    }
    const { timeoutMs } = this;
    const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
    return this.queue.run(user, () => this.connect(work, deadline));
  }

  /**
   * @param deadline of the pool, for work that has waited for its turn; by default it has its own
   *   timeout
   */
  private async connect<Result>(
    work: (runner: QueryRunner) => Promise<Result>,
    deadline?: number,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    // Only a new connection may take long.
    if (deadline !== undefined && poolOf(this.dataSource).idleCount === 0) {
      await connectWithin(runner, deadline - performance.now());
    }
    try {
      return await work(runner);
    } finally {
      await runner.release();
    }
  }
}

async function connectWithin(runner: QueryRunner, timeoutMs: number): Promise<void> {
  const connection = runner.connect() as Promise<unknown>;
  if (await completesWithin(connection, timeoutMs)) return;
  // The runner can only release a connection that it has.
  connection.then(
    () => runner.release(),
    () => undefined,
  );
  throw timedOut();
}
