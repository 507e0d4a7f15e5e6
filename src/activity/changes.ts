import { isDeepStrictEqual } from 'node:util';
import type { JsonValue, Snapshot } from '../records/record-fields.js';

/** The changes of a mutation by field. */
export type Changes = Record<string, { from: JsonValue; to: JsonValue }>;

/** The changes of a creation: every field from null. */
export function changesOfCreation(created: Snapshot): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(created)) changes[field] = { from: null, to };
  return changes;
}

/** The changed fields between two snapshots of an entity. */
export function changesBetween({ before, after }: { before: Snapshot; after: Snapshot }): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(after)) {
    const from = before[field] ?? null;
    if (!isDeepStrictEqual(from, to)) changes[field] = { from, to };
  }
  return changes;
}

export function isEmpty(changes: Changes): boolean {
  return Object.keys(changes).length === 0;
}
