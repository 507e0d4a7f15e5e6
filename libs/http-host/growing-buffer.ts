/** From this length on, a body is large. */
const LARGE_BODY_BYTES = 131_072;

/**
 * The blocks of a large body are mapped by malloc one by one, so that the system has them back at
 * once. Thousands of small ones leave gaps that the process keeps.
 */
const BLOCK_LENGTHS = { ofSmallBody: 16_384, ofLargeBody: 262_144 };

/**
 * Bytes that arrive in parts, copied to blocks. A list of the parts would take a hundred times the
 * memory of a body that is sent byte by byte.
 */
export class GrowingBuffer {
  private readonly blocks: Buffer[] = [];
  private block = Buffer.alloc(0);
  /** The length of what the last block has. */
  private used = 0;
  length = 0;

  append(part: Buffer): void {
    if (this.length === 0) {
      // Often the only part, which need not be copied.
      this.blocks.push(part);
    } else {
      this.copy(part);
    }
    this.length += part.length;
  }

  bytes(): Buffer {
    const [first = this.block] = this.blocks;
    return this.blocks.length > 1 ? Buffer.concat(this.blocks, this.length) : first;
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
  }
}
