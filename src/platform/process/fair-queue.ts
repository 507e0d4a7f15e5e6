interface FairQueueOptions<Key> {
  /** Work that runs at a time. */
  max: number;
  /** How much of that may be of one key; there is no other limit without it. */
  maxOfKey?: (key: Key) => number;
  /** Work that waits at a time, in all and of one key; more is refused. */
  maxWaiting?: number;
  maxWaitingOfKey?: number;
  /** How long work waits; then it is refused. */
  timeoutMs?: number;
  /** The error of refused work. */
  refusal: () => Error;
}

type Start = () => void;

/**
 * Limits how much work runs at a time, in all and of one key, such as a user. Other work waits:
 * that of one key in its order, and the keys take turns.
 */
export class FairQueue<Key> {
  private readonly running = new Map<Key, number>();
  /** The key whose turn is next comes first. */
  private readonly waiting = new Map<Key, Start[]>();
  private runningCount = 0;
  private waiters = 0;

  constructor(private readonly options: FairQueueOptions<Key>) {}

  get waitingCount(): number {
    return this.waiters;
  }

  /** Whether work of the key would run without waiting. */
  isFree(key: Key): boolean {
    const { max, maxOfKey } = this.options;
    const ofKey = this.running.get(key) ?? 0;
    return this.runningCount < max && ofKey < (maxOfKey?.(key) ?? max);
  }

  /**
   * Waits until work of the key may run.
   *
   * @param signal ends the wait with its reason
   * @returns a function to be called once, when the work has ended
   * @throws the refusal
   */
  async begin(key: Key, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.isFree(key)) return this.start(key);
    await this.wait(key, signal);
    return () => this.end(key);
  }

  /**
   * Begins work of a key that {@link isFree}.
   *
   * @returns like {@link begin}
   */
  start(key: Key): () => void {
    this.count(key);
    return () => this.end(key);
  }

  /**
   * Runs work when it is its turn.
   *
   * @throws the refusal, and what the work throws
   */
  async run<Result>(key: Key, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const end = await this.begin(key, signal);
    try {
      return await work();
    } finally {
      end();
    }
  }

  private count(key: Key): void {
    this.runningCount += 1;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  private end(key: Key): void {
    this.runningCount -= 1;
    const ofKey = (this.running.get(key) ?? 0) - 1;
    if (ofKey > 0) this.running.set(key, ofKey);
    else this.running.delete(key);
    this.startNext();
  }

  /**
   * Starts the work whose turn it is, if any of it may run; the next turn of its key comes after
   * the others.
   */
  private startNext(): void {
    for (const [key, starts] of this.waiting) {
      const [start] = starts;
      if (!start || !this.isFree(key)) continue;
      this.leave(key, start);
      // The key is the last one now.
      if (this.waiting.delete(key)) this.waiting.set(key, starts);
      this.count(key);
      start();
      return;
    }
  }

  private wait(key: Key, signal?: AbortSignal): Promise<void> {
    const { maxWaiting = Infinity, maxWaitingOfKey = Infinity, timeoutMs, refusal } = this.options;
    const ofKey = this.waiting.get(key)?.length ?? 0;
    if (this.waiters >= maxWaiting || ofKey >= maxWaitingOfKey) throw refusal();
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = (): void => {
        stopWaiting();
        resolve();
      };
      const refuse = (error: Error): void => {
        stopWaiting();
        this.leave(key, start);
        reject(error);
      };
      const abort = (): void => refuse(signal?.reason as Error);
      const timer = timeoutMs && setTimeout(() => refuse(refusal()), timeoutMs);
      signal?.addEventListener('abort', abort);
      const starts = this.waiting.get(key);
      if (starts) starts.push(start);
      else this.waiting.set(key, [start]);
      this.waiters += 1;
    });
  }

  private leave(key: Key, start: Start): void {
    const starts = this.waiting.get(key) ?? [];
    starts.splice(starts.indexOf(start), 1);
    if (starts.length === 0) this.waiting.delete(key);
    this.waiters -= 1;
  }
}
