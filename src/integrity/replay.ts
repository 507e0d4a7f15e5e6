import { isDeepStrictEqual } from 'node:util';
import type { ActivityAction } from '../activity/activity-record.entity.js';
import type { Changes, JsonValue, Snapshot } from '../activity/changes.js';

export interface ReplayedRecord {
  id: string;
  action: ActivityAction;
  changes: Changes;
}

/** Only creation records it. */
const NOT_RECORDED = 'updated_at';

/**
 * Plays an entity's records, oldest first, and compares what they add up to with the entity.
 *
 * @returns what is wrong; nothing when each record starts where the one before ended and the last ends at
 *   the present
 */
export function replayProblems(present: Snapshot, records: readonly ReplayedRecord[]): string[] {
  const [first] = records;
  if (!first) return ['has no activity records'];
  const problems: string[] = [];
  if (first.action !== 'created') problems.push('its first activity record is no creation');
  const state: Snapshot = {};
  for (const { id, action, changes } of records) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      if (!isDeepStrictEqual(from, state[field] ?? null)) {
        problems.push(
          `${action} record ${id} changes ${field} from ${text(from)}, it was ${text(state[field])}`,
        );
      }
      state[field] = to;
    }
  }
  for (const [field, value] of Object.entries(present)) {
    if (field !== NOT_RECORDED && !isDeepStrictEqual(value, state[field] ?? null)) {
      problems.push(`${field} is ${text(value)}, its activity records say ${text(state[field])}`);
    }
  }
  return problems;
}

function text(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null);
}
