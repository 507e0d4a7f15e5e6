import { isDeepStrictEqual } from 'node:util';

/** A value as JSON has it: ids, dates, amounts and enum values are strings. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The state of an entity as the activity log sees it: field by field, under the API's names. */
export type Snapshot = Record<string, JsonValue>;

/** What a mutation did, by field. */
export type Changes = Record<string, { from: JsonValue; to: JsonValue }>;

/** Every field, from null: how an entity came to be. */
export function changesOfCreation(created: Snapshot): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(created)) changes[field] = { from: null, to };
  return changes;
}

/** Exactly the fields whose values differ between two snapshots of the same entity. */
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
