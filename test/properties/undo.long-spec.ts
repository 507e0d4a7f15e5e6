import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { replayProblems } from '../../src/operators/integrity/replay.js';
import type { Snapshot } from '../../src/records/record-fields.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { storeRate } from './random-plans.js';
import { Account, anyWrite } from './random-writes.js';

// Random sequences of many requests: on a busy machine they take longer than the default.
jest.setTimeout(600_000);

const service = useService();

/** Whether the record of an entry was written by the deletion of its cycle, which takes it back. */
const isOfDeletedCycle = (
  { entity_type, action, cycle_id, seq }: ActivityResponse & { seq: string },
  records: readonly (ActivityResponse & { seq: string })[],
): boolean =>
  action === 'deactivated' &&
  entity_type.startsWith('cycle_') &&
  records.some(
    (other) =>
      other.entity_type === 'cycle' &&
      other.entity_id === cycle_id &&
      other.action === 'deactivated' &&
      BigInt(other.seq) < BigInt(seq),
  );

/** The states of all entities after each record that is not of an entry of a deleted cycle. */
function replayed(records: readonly ActivityResponse[]): Map<string, Snapshot> {
  const states = new Map<string, Record<string, Snapshot[string]>>();
  for (const { entity_id, changes } of records) {
    const state = states.get(entity_id) ?? {};
    for (const [field, { to }] of Object.entries(changes)) state[field] = to;
    states.set(entity_id, state);
  }
  return states;
}

/** An account with an entity of each kind. */
async function newAccount(): Promise<Account> {
  const user = await service.signUp();
  await user.createPaymentMethod();
  const { id: budget_id } = await user.createBudget({ limit: '300.00' });
  await user.createTemplate({ currency: 'MXN', budget_id });
  const { id } = await user.createCycle();
  await user.createExpense(id, { currency: 'MXN', due_date: '2026-02-25', budget_id });
  await user.createIncome(id);
  return new Account(service, user);
}

/** Expects the first state of an account, beside which there is only what is not active. */
function expectBroughtBack(first: Map<string, object>, last: Map<string, object>): void {
  for (const [path, shown] of first) {
    expect({ path, shown: last.get(path) }).toEqual({ path, shown });
  }
  for (const [path, shown] of last) {
    if (!first.has(path)) expect({ path, shown }).toMatchObject({ shown: { active: false } });
  }
}

describe('random sequences of writes', () => {
  beforeAll(async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    await storeRate(service, 0.061234, '2026-02-20');
  });

  it('random sequences of writes end at the first state when they are undone in reverse order, step by step', async () => {
    const sequence = fc.array(anyWrite, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (writes) => {
        const account = await newAccount();
        const first = await account.state();
        const initial = await account.records();
        for (const write of writes) await account.write(write);
        const records = await account.records();
        const written = records.slice(initial.length);
        const undone = written.filter((record) => !isOfDeletedCycle(record, records));
        for (const record of undone.reverse()) {
          await account.undo(record);
          // The log replays to what was before the record.
          const all = await account.records();
          const before = records.filter(({ seq }) => BigInt(seq) < BigInt(record.seq));
          const now = replayed(all);
          for (const [entity, state] of replayed(before)) {
            expect({ entity, state: now.get(entity) }).toEqual({ entity, state });
          }
        }
        expectBroughtBack(first, await account.state());
        for (const entity of new Set(records.map(({ entity_id }) => entity_id))) {
          const own = (await account.records()).filter(({ entity_id }) => entity_id === entity);
          const state = replayed(own).get(entity) ?? {};
          expect(replayProblems(state, own)).toEqual([]);
        }
      }),
      longRuns(40),
    );
    await expectIntegrity(service.dataSource);
  });

  it('random sequences of writes end at the first state when their requests are undone in reverse order', async () => {
    const sequence = fc.array(anyWrite, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (writes) => {
        const account = await newAccount();
        const first = await account.state();
        const initial = await account.records();
        for (const write of writes) await account.write(write);
        const written = (await account.records()).slice(initial.length);
        const operations = new Set(written.map(({ operation_id }) => operation_id ?? ''));
        for (const operation of [...operations].reverse()) await account.undoOperation(operation);
        expectBroughtBack(first, await account.state());
      }),
      longRuns(40),
    );
    await expectIntegrity(service.dataSource);
  });
});
