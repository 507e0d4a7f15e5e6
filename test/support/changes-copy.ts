import { expect } from '@jest/globals';
import type { ChangesResponse } from '../../src/changes/dto/changes.dto.js';
import type { Client } from './client.js';

/** A page of `GET /changes`. */
export const readChanges = (
  user: Client,
  since?: string,
  limit?: number,
): Promise<ChangesResponse> => {
  const query = { ...(since && { since }), ...(limit && { limit: String(limit) }) };
  return user.read(`/changes?${new URLSearchParams(query).toString()}`);
};

/** The state that a client has after it applied all pages of `GET /changes`. */
export class ChangesCopy {
  readonly entities = new Map<string, unknown>();
  private since?: string;
  pages = 0;

  constructor(
    private readonly user: Client,
    private readonly limit = 200,
  ) {}

  /** Reads all pages and returns the changes. */
  async update(): Promise<ChangesResponse['changes']> {
    const all: ChangesResponse['changes'] = [];
    for (;;) {
      const { changes, next, has_more } = await readChanges(this.user, this.since, this.limit);
      this.pages += 1;
      expect(changes.length).toBeLessThanOrEqual(this.limit);
      expect(changes.length > 0 || !has_more).toBe(true);
      const ids = changes.map(({ entity_id }) => entity_id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { entity_type, entity_id, deleted, representation } of changes) {
        expect(deleted).toBe(representation === null);
        const key = `${entity_type} ${entity_id}`;
        if (deleted) this.entities.delete(key);
        else this.entities.set(key, representation);
      }
      all.push(...changes);
      this.since = next;
      if (!has_more) return all;
    }
  }
}
