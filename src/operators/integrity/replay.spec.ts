import { describe, expect, it } from '@jest/globals';
import { changesOfCreation } from '../../activity/changes.js';
import { replayProblems, type ReplayedRecord } from './replay.js';

const created: ReplayedRecord = {
  id: 'c',
  action: 'created',
  changes: changesOfCreation({ name: 'Card', note: null, config: { day: 1 }, updated_at: '1' }),
};
const renamed: ReplayedRecord = {
  id: 'u',
  action: 'updated',
  changes: { name: { from: 'Card', to: 'Cash' } },
};
const present = { name: 'Cash', note: null, config: { day: 1 }, updated_at: '2' };

describe('replayProblems', () => {
  it('replayProblems finds nothing where the records lead to the present', () => {
    expect(replayProblems(present, [created, renamed])).toEqual([]);
  });

  it('replayProblems finds an entity without records', () => {
    expect(replayProblems(present, [])).toEqual(['has no activity records']);
  });

  it('replayProblems finds records that begin in the middle', () => {
    expect(replayProblems({ name: 'Cash' }, [renamed])).toEqual([
      'its first activity record is not a creation',
      'updated record u changes name from "Card" instead of null',
    ]);
  });

  it('replayProblems finds a record that does not start where the one before ended', () => {
    const again = { ...renamed, id: 'v', changes: { name: { from: 'Bank', to: 'Cash' } } };
    expect(replayProblems(present, [created, renamed, again])).toEqual([
      'updated record v changes name from "Bank" instead of "Cash"',
    ]);
  });

  it('replayProblems takes a field that was added since for its default', () => {
    const upgraded = { ...present, weekend_rule: 'keep' };
    expect(replayProblems(upgraded, [created, renamed])).toEqual([]);
    const changes = { weekend_rule: { from: 'keep', to: 'after' } };
    const moved: ReplayedRecord = { id: 'w', action: 'updated', changes };
    expect(
      replayProblems({ ...upgraded, weekend_rule: 'after' }, [created, renamed, moved]),
    ).toEqual([]);
    expect(replayProblems({ ...upgraded, weekend_rule: 'after' }, [created, renamed])).toEqual([
      'weekend_rule is "after", but "keep" in the activity records',
    ]);
    const amounts = { amount_changes: [], skipped_dates: [], last_amount: null };
    const card = { due_weekend_rule: 'keep', autopay: false, closing_day: null };
    const added = { side: false, ...amounts, ...card };
    expect(replayProblems({ ...present, ...added }, [created, renamed])).toEqual([]);
  });

  it('replayProblems finds every field that is not what the records say', () => {
    const other = { ...present, note: 'mine', config: { day: 2 } };
    expect(replayProblems(other, [created, renamed])).toEqual([
      'note is "mine", but null in the activity records',
      'config is {"day":2}, but {"day":1} in the activity records',
    ]);
  });
});
