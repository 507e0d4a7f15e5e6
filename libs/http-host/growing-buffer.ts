/** A body of this length or more is large. */
const LARGE_BODY_BYTES = 131_072;

/**
 * The blocks of a large body are mapped by malloc one by one, so that the system has them back at
 * once. Thousands of small ones leave gaps that the process keeps.
 */
const BLOCK_LENGTHS = { ofSmallBody: 16_384, ofLargeBody: 262_144 };

/**
 * Bytes that arrive in parts, copied to blocks. A list of the parts would take a hundred times the
 * memory of a body that is sent byte by byte. What is copied is returned to the system at once:
 * until the next garbage collection, it would be several times the bytes that are held.
 */
export class GrowingBuffer {
  private readonly blocks: Buffer[] = [];
  private block = Buffer.alloc(0);
  /** The length of what the last block has. */
  private used = 0;
  length = 0;

  append(part: Buffer): void {
    const { length } = part;
    if (this.length === 0) {
      // Often the only part, which need not be copied.
      this.blocks.push(part);
    } else {
      this.copy(part);
    }
    this.length += length;
  }

  /** All bytes; nothing can be appended any more. */
  bytes(): Buffer {
    const [first = this.block] = this.blocks;
    if (this.blocks.length <= 1) return first;
    const all = Buffer.concat(this.blocks, this.length);
    this.free();
    return all;
  }

  /** Returns the memory to the system; nothing can be read or appended any more. */
  free(): void {
    this.blocks.splice(0).forEach(freeBuffer);
  }

  private copy(part: Buffer): void {
    for (let at = 0; at < part.length;) {
      if (this.used === this.block.length) {
        const { ofSmallBody, ofLargeBody } = BLOCK_LENGTHS;
        const isLarge = this.length + at >= LARGE_BODY_BYTES;
        this.block = Buffer.allocUnsafe(isLarge ? ofLargeBody : ofSmallBody);
        this.blocks.push(this.block);
        this.used = 0;
      }
      const copied = part.copy(this.block, this.used, at);
      this.used += copied;
      at += copied;
    }
    freeBuffer(part);
  }
}

/**
 * Returns the memory of bytes that are not read any more to the system at once. Node.js 20 cannot do
 * this; there it is returned when it is collected.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  const isPartOfOther = byteLength < buffer.byteLength;
  if (!isPartOfOther) (buffer as { transfer?: (length: number) => unknown }).transfer?.(0);
}
