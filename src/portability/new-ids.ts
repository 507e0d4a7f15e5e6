import { randomUUID } from 'node:crypto';
import type { EntityType } from '../records/record-types.js';

/** New ids in place of those of a document. */
export class NewIds {
  private readonly ids = new Map<string, string>();

  /**
   * Gives a record a new id; false if another record of the type has the same id in the document.
   */
  add(type: EntityType, id: string): boolean {
    if (this.has(type, id)) return false;
    this.ids.set(`${type} ${id}`, randomUUID());
    return true;
  }

  has(type: EntityType, id: string): boolean {
    return this.ids.has(`${type} ${id}`);
  }

  /** The new id of a record that was added. */
  of(type: EntityType, id: string): string {
    const newId = this.ids.get(`${type} ${id}`);
    if (newId === undefined) throw new Error(`The document has no ${type} ${id}`);
    return newId;
  }
}
