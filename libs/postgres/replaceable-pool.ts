import pg, { type PoolClient, type PoolConfig } from 'pg';

/** Minimum time between replacements, so that not every failed write replaces all connections. */
const MIN_REPLACE_INTERVAL_MS = 1000;

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void;
type Release = (error?: Error | boolean) => void;

/**
 * The driver's pool with replaceable connections. After a failover, open connections remain on the
 * demoted server, while new ones reach the new primary.
 */
export class ReplaceablePool extends pg.Pool {
  private readonly generations = new WeakMap<PoolClient, number>();
  private generation = 0;
  private replacedAt = -Infinity;

  constructor(config?: PoolConfig) {
    super(config);
    this.on('connect', (client) => this.generations.set(client, this.generation));
  }

  /** Closes every open connection when it is released; work in progress is not interrupted. */
  replaceConnections(): void {
    const now = performance.now();
    if (now - this.replacedAt < MIN_REPLACE_INTERVAL_MS) return;
    this.replacedAt = now;
    this.generation += 1;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback) {
      this.checkOut(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.checkOut((error, client) => {
        if (client) resolve(client);
        else reject(error ?? new Error('The pool returned no connection'));
      });
    });
  }

  private checkOut(callback: Callback): void {
    super.connect((error, client, done) => {
      if (client && this.generations.get(client) !== this.generation) {
        done(true);
        this.checkOut(callback);
      } else {
        callback(error, client, done);
      }
    });
  }
}
