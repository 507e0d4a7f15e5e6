/** Whom memory is held for: a user, or the network of a client without one. */
export type MemoryOwner = { user: string } | { network: string };

/** What is larger has to fit into a part of the memory, so that small things always have the rest. */
export const LARGE_BYTES = 131_072;

/** What is held under a key has at most `max` bytes. */
interface Share {
  key: string;
  max: number;
  /** A single holding may be larger, such as the longest list. */
  isExceedable?: boolean;
}

const ALL: Share = { key: 'all', max: 64_000_000 };
const LARGE: Share = { key: 'large', max: 32_000_000 };
const STRANGERS: Share = { key: 'strangers', max: 16_000_000 };
const MAX_OF_USER = 16_000_000;
const MAX_OF_NETWORK = 4_000_000;

/** An unfinished body older than this gives way to what needs its bytes. */
const EVICTION_AGE_MS = 30_000;

/** Bytes that are held for a client. They must be released, after which it holds none. */
export class Holding {
  readonly startedAt = performance.now();
  bytes = 0;
  isReleased = false;

  constructor(
    private readonly memory: ClientMemory,
    readonly owner: readonly Share[],
    readonly evict?: () => void,
  ) {}

  /** @returns whether so many bytes fit; if not, nothing changes */
  resize(bytes: number): boolean {
    return !this.isReleased && this.memory.resize(this, bytes);
  }

  release(): void {
    this.memory.resize(this, 0);
    this.isReleased = true;
  }
}

/**
 * Limits the bytes that the process holds for its clients: bodies that it reads, responses that are
 * not read yet, and requests that wait. Users and networks have shares, so that none takes it all.
 */
export class ClientMemory {
  private readonly held = new Map<string, number>();
  /** Those that can be evicted, the oldest first. */
  private readonly evictable = new Set<Holding>();

  /** @param evict ends an unfinished body, whose holding it must release */
  open(owner: MemoryOwner, evict?: () => void): Holding {
    const shares: Share[] =
      'user' in owner
        ? [{ key: `user ${owner.user}`, max: MAX_OF_USER, isExceedable: true }]
        : [{ key: `network ${owner.network}`, max: MAX_OF_NETWORK }, STRANGERS];
    const holding = new Holding(this, shares, evict);
    if (evict) this.evictable.add(holding);
    return holding;
  }

  /** Does what {@link Holding.resize} says. */
  resize(holding: Holding, bytes: number): boolean {
    const before = holding.bytes;
    this.set(holding, bytes);
    if (bytes === 0) this.evictable.delete(holding);
    if (bytes <= before) return true;
    if (this.fits(holding.owner, bytes) && this.fitsBeside(holding)) return true;
    this.set(holding, before);
    return false;
  }

  private set(holding: Holding, bytes: number): void {
    for (const [sign, size] of [
      [-1, holding.bytes],
      [1, bytes],
    ] as const) {
      for (const { key } of [...holding.owner, ...commonShares(size)]) {
        const held = (this.held.get(key) ?? 0) + sign * size;
        if (held > 0) this.held.set(key, held);
        else this.held.delete(key);
      }
    }
    holding.bytes = bytes;
  }

  private fits(shares: readonly Share[], bytes: number): boolean {
    return shares.every(({ key, max, isExceedable }) => {
      const held = this.held.get(key) ?? 0;
      return held <= max || (isExceedable === true && held === bytes);
    });
  }

  /** Whether it fits beside what others hold, of which the oldest unfinished bodies give way. */
  private fitsBeside(holding: Holding): boolean {
    const shares = commonShares(holding.bytes);
    for (const other of this.evictable) {
      if (this.fits(shares, holding.bytes)) break;
      const isOld = performance.now() - other.startedAt >= EVICTION_AGE_MS;
      if (isOld && other !== holding && other.bytes > LARGE_BYTES) other.evict?.();
    }
    return this.fits(shares, holding.bytes);
  }
}

const commonShares = (bytes: number): Share[] => (bytes > LARGE_BYTES ? [ALL, LARGE] : [ALL]);

/** The memory of the process for its clients. */
export const clientMemory = new ClientMemory();
