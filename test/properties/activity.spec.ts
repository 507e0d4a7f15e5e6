import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import {
  changesBetween,
  changesOfCreation,
  isEmpty,
  type Changes,
} from '../../src/activity/changes.js';
import { describeMutation } from '../../src/activity/mutation.js';
import { replayProblems, type ReplayedRecord } from '../../src/operators/integrity/replay.js';
import type { JsonValue, Snapshot } from '../../src/records/record-fields.js';
import { repetitions } from '../support/repetitions.js';

const runs = { numRuns: repetitions(300) };

// Serialized as JSON, like all values of the log; JSON has no -0.
const anyValue = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, '', '1', 0, 'paid'),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
);

/** Few values for few fields, so that some fields do not change. */
const anySnapshot: fc.Arbitrary<Snapshot> = fc.record({
  name: fc.constantFrom('Rent', 'Food'),
  note: anyValue,
  config: anyValue,
  active: fc.boolean(),
});

function apply(snapshot: Snapshot, changes: Changes): Snapshot {
  const values = Object.entries(changes).map(([field, { to }]) => [field, to]);
  return { ...snapshot, ...(Object.fromEntries(values) as Snapshot) };
}

function revert(snapshot: Snapshot, changes: Changes): Snapshot {
  const values = Object.entries(changes).map(([field, { from }]) => [field, from]);
  return { ...snapshot, ...(Object.fromEntries(values) as Snapshot) };
}

describe('the changes between two snapshots', () => {
  it('the changes between two snapshots lead from the first to the second and back', () => {
    fc.assert(
      fc.property(anySnapshot, anySnapshot, (before, after) => {
        const changes = changesBetween({ before, after });
        expect(apply(before, changes)).toEqual(after);
        expect(revert(after, changes)).toEqual(before);
      }),
      runs,
    );
  });

  it('name the fields that differ and no other', () => {
    fc.assert(
      fc.property(anySnapshot, anySnapshot, (before, after) => {
        const changes = changesBetween({ before, after });
        for (const field of Object.keys(after)) {
          expect(field in changes).toBe(!isDeepStrictEqual(before[field], after[field]));
        }
      }),
      runs,
    );
  });

  it('the changes between two snapshots are empty for equal snapshots, in any order of the fields', () => {
    fc.assert(
      fc.property(anySnapshot, (before) => {
        const after = Object.fromEntries(Object.entries(before).reverse());
        expect(changesBetween({ before, after })).toEqual({});
        expect(describeMutation({ before, after })).toBeUndefined();
      }),
      runs,
    );
  });

  it('the changes between two snapshots of a creation lead from null to all fields', () => {
    fc.assert(
      fc.property(anySnapshot, (created) => {
        const changes = changesOfCreation(created);
        expect(apply({}, changes)).toEqual(created);
        expect(Object.values(changes).every(({ from }) => from === null)).toBe(true);
      }),
      runs,
    );
  });

  it('the changes between two snapshots treat a missing field of a snapshot as null', () => {
    fc.assert(
      fc.property(anySnapshot, (after) => {
        const { note, ...before } = after;
        const expected = note === null ? {} : { note: { from: null, to: note } };
        expect(changesBetween({ before, after })).toEqual(expected);
      }),
      runs,
    );
  });
});

describe('a mutation', () => {
  it('a mutation has the most specific matching action, and all changes', () => {
    const specific = fc.constantFrom(undefined, 'marked_paid' as const, 'completed' as const);
    fc.assert(
      fc.property(anySnapshot, anySnapshot, specific, (before, after, action) => {
        const changes = changesBetween({ before, after });
        const mutation = describeMutation({ before, after }, () => action);
        if (isEmpty(changes)) {
          expect(mutation).toBeUndefined();
          return;
        }
        const restored = after.active === true ? 'reactivated' : 'deactivated';
        const general = before.active === after.active ? 'updated' : restored;
        expect(mutation).toEqual({ action: action ?? general, changes });
      }),
      runs,
    );
  });

  it('a mutation is classified by its changes', () => {
    fc.assert(
      fc.property(anySnapshot, anySnapshot, (before, after) => {
        const mutation = describeMutation({ before, after }, (changes) =>
          'name' in changes ? 'status_changed' : undefined,
        );
        expect(mutation?.action === 'status_changed').toBe(before.name !== after.name);
      }),
      runs,
    );
  });
});

describe('the records of an entity', () => {
  interface History {
    present: Snapshot;
    records: ReplayedRecord[];
  }

  /** A creation, and a change for each different snapshot. */
  function historyOf(snapshots: readonly Snapshot[]): History {
    const [first = {}, ...later] = snapshots;
    const records: ReplayedRecord[] = [
      { id: 'r', action: 'created', changes: changesOfCreation({ ...first, updated_at: '1' }) },
    ];
    let present = first;
    for (const after of later) {
      const mutation = describeMutation({ before: present, after });
      if (mutation) records.push({ id: `r${records.length}`, ...mutation });
      present = after;
    }
    return { present: { ...present, updated_at: '2' }, records };
  }

  const anyHistory = fc.array(anySnapshot, { minLength: 2, maxLength: 6 }).map(historyOf);
  const anyIndex = fc.nat();

  it('the records of an entity lead to its current state', () => {
    fc.assert(
      fc.property(anyHistory, ({ present, records }) => {
        expect(replayProblems(present, records)).toEqual([]);
      }),
      runs,
    );
  });

  it('the records of an entity do not replay if one of them is missing', () => {
    fc.assert(
      fc.property(anyHistory, anyIndex, ({ present, records }, index) => {
        fc.pre(records.length > 1);
        const left = records.filter((_, at) => at !== index % records.length);
        expect(replayProblems(present, left)).not.toEqual([]);
      }),
      runs,
    );
  });

  it('the records of an entity do not replay if a value in one of them is changed', () => {
    fc.assert(
      fc.property(anyHistory, anyIndex, fc.boolean(), ({ present, records }, index, old) => {
        fc.pre(records.length > 1);
        const forged = structuredClone(records);
        const changes = forged.slice(1).flatMap((record) => Object.values(record.changes));
        const change = changes[index % changes.length];
        if (change) change[old ? 'from' : 'to'] = 'forged';
        expect(replayProblems(present, forged)).not.toEqual([]);
      }),
      runs,
    );
  });

  it('the records of an entity do not replay to another state', () => {
    fc.assert(
      fc.property(anyHistory, ({ present, records }) => {
        expect(replayProblems({ ...present, note: 'forged' }, records)).toEqual([
          `note is "forged", but ${JSON.stringify(present.note)} in the activity records`,
        ]);
      }),
      runs,
    );
  });
});
