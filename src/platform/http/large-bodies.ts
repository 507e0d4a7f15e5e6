import { DomainError } from '../errors/domain-error.js';

/**
 * Bodies up to this size do not count; every valid JSON body fits, even with all its text escaped.
 */
export const MAX_JSON_BYTES = 131_072;

/** Of a body that is read from anyone, such as that of a sign-in. */
export const MAX_PUBLIC_BODY_BYTES = 16_384;

/** Bytes of all larger bodies in the process. */
const MAX_BYTES = 32_000_000;

/** An unfinished body older than this is evicted for one that needs its bytes. */
const EVICTION_AGE_MS = 30_000;

/** When a client may try again. */
const RETRY_AFTER_SECONDS = 5;

interface Callbacks {
  /** Called when the body begins to count. */
  onCounted: () => void;
  onEvicted: () => void;
}

/** A body that is or may become large, with the bytes that it has now after decompression. */
export class LargeBody {
  readonly startedAt = performance.now();
  bytes = 0;
  isComplete = false;

  constructor(readonly callbacks: Callbacks) {}
}

/**
 * Limits the memory of all large bodies of the process together, from their first byte to the end
 * of their requests.
 */
export class LargeBodies {
  /** The oldest first. */
  private readonly bodies = new Set<LargeBody>();
  private bytes = 0;

  /** @throws DomainError SERVICE_UNAVAILABLE */
  grow(body: LargeBody, bytes: number): void {
    if (bytes <= MAX_JSON_BYTES) return;
    const added = bytes - body.bytes;
    this.evictFor(body, added);
    if (this.bytes + added > MAX_BYTES) throw tooManyLargeBodies();
    if (!this.bodies.has(body)) {
      this.bodies.add(body);
      body.callbacks.onCounted();
    }
    body.bytes = bytes;
    this.bytes += added;
  }

  remove(body: LargeBody): void {
    if (this.bodies.delete(body)) this.bytes -= body.bytes;
  }

  private evictFor(body: LargeBody, added: number): void {
    for (const other of this.bodies) {
      if (this.bytes + added <= MAX_BYTES) return;
      const age = performance.now() - other.startedAt;
      if (other !== body && !other.isComplete && age >= EVICTION_AGE_MS) {
        other.callbacks.onEvicted();
      }
    }
  }
}

const tooManyLargeBodies = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too many large bodies are being sent; try again later', {
    retry_after: RETRY_AFTER_SECONDS,
  });
