import { isDeepStrictEqual } from 'node:util';
import type { ActivityAction } from '../../activity/activity-record.entity.js';
import type { Changes } from '../../activity/changes.js';
import type { JsonValue, Snapshot } from '../../records/record-fields.js';

export interface ReplayedRecord {
  id: string;
  action: ActivityAction;
  changes: Changes;
}

/** Recorded only by creations. */
const UNRECORDED_FIELD = 'updated_at';

/**
 * Fields that entities of earlier versions were not created with, and what they have in their
 * place.
 */
const ADDED_FIELDS: Snapshot = {
  weekend_rule: 'keep',
  budget_limits: [],
  currency: 'USD',
  side: false,
  amount_changes: [],
  skipped_dates: [],
  due_weekend_rule: 'keep',
  autopay: false,
};

/**
 * Replays the records of an entity, oldest first, and compares the result with the entity.
 *
 * @returns the problems: values that do not continue the previous record, and differences from the
 *   current state
 */
export function replayProblems(present: Snapshot, records: readonly ReplayedRecord[]): string[] {
  const [first] = records;
  if (!first) return ['has no activity records'];
  const problems: string[] = [];
  if (first.action !== 'created') problems.push('its first activity record is not a creation');
  const state = backfilled(present, records);
  for (const [field, value] of Object.entries(ADDED_FIELDS)) {
    if (field in present && !(field in first.changes)) state[field] = value;
  }
  for (const { id, action, changes } of records) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      if (!isDeepStrictEqual(from, state[field] ?? null)) {
        problems.push(
          `${action} record ${id} changes ${field} from ${text(from)} instead of ${text(state[field])}`,
        );
      }
      state[field] = to;
    }
  }
  for (const [field, value] of Object.entries(present)) {
    if (field !== UNRECORDED_FIELD && !isDeepStrictEqual(value, state[field] ?? null)) {
      problems.push(
        `${field} is ${text(value)}, but ${text(state[field])} in the activity records`,
      );
    }
  }
  return problems;
}

/**
 * The fields that a migration may have filled without a record: what the first record that names
 * them starts from, or else what they are now.
 */
const BACKFILLED_FIELDS = ['exchange_rate', 'occurrence_date'];

function backfilled(present: Snapshot, records: readonly ReplayedRecord[]): Snapshot {
  const fields = BACKFILLED_FIELDS.filter(
    (field) => field in present && !(field in (records[0]?.changes ?? {})),
  );
  return Object.fromEntries(
    fields.map((field) => {
      const changed = records.find(({ changes }) => field in changes)?.changes[field];
      return [field, changed ? changed.from : (present[field] ?? null)];
    }),
  );
}

function text(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null);
}
