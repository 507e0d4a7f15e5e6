import { createHmac, randomBytes } from 'node:crypto';
import type { EntityType } from '../activity/activity-record.entity.js';

/**
 * New ids in place of those of a document. The id of a record is computed from its id in the document and a random key,
 * so that references need no table of all ids in memory.
 */
export class NewIds {
  private readonly key = randomBytes(32);

  /** A UUID of version 8 (RFC 9562), the same for the same record. */
  of(type: EntityType, id: string): string {
    const bytes = createHmac('sha256', this.key).update(`${type} ${id}`).digest();
    bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString('hex');
    const ends = [0, 8, 12, 16, 20, 32];
    return ends
      .slice(1)
      .map((end, at) => hex.slice(ends[at], end))
      .join('-');
  }
}
