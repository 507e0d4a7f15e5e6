/**
 * Bytes that arrive in parts. A list of the parts would take a hundred times the memory of a body that is sent byte by
 * byte.
 */
export class GrowingBuffer {
  private buffer: Buffer = Buffer.alloc(0);
  length = 0;

  constructor(private readonly maxLength: number) {}

  append(part: Buffer): void {
    const length = this.length + part.length;
    if (this.length === 0) {
      // Often the only part, which need not be copied.
      this.buffer = part;
    } else {
      if (length > this.buffer.length) this.grow(length);
      part.copy(this.buffer, this.length);
    }
    this.length = length;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, this.maxLength)));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}
