import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import { operationOf, type Client } from '../../support/client.js';
import {
  importDocument,
  sampleDocument,
  type Document,
  type Row,
} from '../../support/data-document.js';
import { expectError } from '../../support/errors.js';
import { expectIntegrity } from '../../support/integrity.js';
import { databaseState } from '../../support/rejected-requests.js';
import { useService } from '../../support/service.js';

const service = useService();

/** Two full cycles have twice as many. */
const MAX_ENTRIES_OF_UNDO = 4000;
const MAX_ENTRIES = 2000;

/** A document with open cycles, each of which has entries of both kinds. */
function documentOf(cycleCount: number, entries: { expenses: number; incomes: number }): Document {
  const sample = sampleDocument();
  const payment_methods = sample.payment_methods.map((row) => ({ ...row, active: true }));
  const none = { cycles: [], expenses: [], incomes: [], comments: [] };
  const document: Document = { ...sample, payment_methods, ...none };
  const manual = { template_id: null, occurrence_date: null, generated: null };
  for (let number = 0; number < cycleCount; number += 1) {
    const cycle_id = randomUUID();
    const fields = { id: cycle_id, name: `Cycle ${number}`, status: 'active' };
    document.cycles.push({ ...sample.cycles[0], ...fields });
    const copies = (row: Row | undefined, count: number): Row[] =>
      Array.from({ length: count }, () => ({ ...row, ...manual, id: randomUUID(), cycle_id }));
    document.expenses.push(...copies(sample.expenses[0], entries.expenses));
    document.incomes.push(...copies(sample.incomes[0], entries.incomes));
  }
  return document;
}

describe('the undo of a request whose cycles have very many entries', () => {
  let user: Client;

  beforeEach(async () => {
    user = await service.signUp();
  });

  const cycles = async (): Promise<CycleResponse[]> =>
    (await user.read<{ cycles: CycleResponse[] }>('/cycles')).cycles;

  /** Expects that the undo is refused, changes nothing, and names the way in parts. */
  async function expectTooLarge(operation: string): Promise<void> {
    const state = await databaseState(service);
    const refused = await user.post(`/activity/operations/${operation}/undo`);
    const message = expectError(refused, 409, 'RESOURCE_CONFLICT', {
      ...{ resource: 'activity_record', limit: MAX_ENTRIES_OF_UNDO },
    });
    expect(message).toContain('undo the record of each cycle');
    expect(await databaseState(service)).toEqual(state);
  }

  /** Adds expenses to a cycle. */
  async function addExpenses({ id }: CycleResponse, count: number): Promise<void> {
    const header = 'due_date,description,category,currency,amount,payment_method';
    const rows = Array<string>(count).fill('2026-02-01,Row,fixed,USD,1,Card');
    await user
      .post(`/cycles/${id}/expenses/import`)
      .type('text/csv')
      .send([header, ...rows].join('\n'))
      .expect(200);
  }

  it('takes back a full cycle, brings it back, and deletes it', async () => {
    const document = documentOf(1, { expenses: MAX_ENTRIES, incomes: MAX_ENTRIES });
    const imported = await importDocument(user, document).expect(200);
    const [before] = await cycles();
    const undo = await user.undoOperation(imported);
    expect(await cycles()).toEqual([]);
    await user.undoOperation(undo.operation_id ?? '');
    const [after] = await cycles();
    expect(after).toEqual({ ...before, updated_at: after?.updated_at });
    const path = `/cycles/${before?.id ?? ''}`;
    const deletion = await user.delete(path).expect(204);
    await user.undo(['cycle', before?.id ?? '']);
    expect(await user.read(path)).toMatchObject({ summary: before?.summary });
    const records = await service.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM activity_log WHERE operation_id = $1`,
      [operationOf(deletion)],
    );
    expect(records).toEqual([{ count: 1 + 2 * MAX_ENTRIES }]);
    await expectIntegrity(service.dataSource);
  });

  it('refuses more entries than a full cycle has; each cycle is taken back by its own record', async () => {
    const document = documentOf(3, { expenses: 1000, incomes: 334 });
    const operation = operationOf(await importDocument(user, document).expect(200)) ?? '';
    await expectTooLarge(operation);
    const imported = await cycles();
    for (const { id } of imported) {
      const [created] = await user.activity(
        `operation_id=${operation}&entity_type=cycle&entity_id=${id}`,
      );
      await user.undo({ id: created?.id ?? '' });
    }
    expect(await cycles()).toEqual([]);
    for (const [path, type] of [
      ['/income-templates', 'recurrent_income'],
      ['/expense-templates', 'recurrent_expense'],
      ['/budgets', 'budget'],
    ] as const) {
      const [record] = await user.read<{ id: string }[]>(path);
      await user.undo([type, record?.id ?? '']);
      expect(await user.read(`${path}?active=true`)).toEqual([]);
    }
    // So are the undos.
    for (const { id } of imported) await user.undo(['cycle', id]);
    const sums = (all: readonly CycleResponse[]): unknown =>
      all.map(({ name, remaining_balance, summary }) => ({ name, remaining_balance, summary }));
    expect(sums(await cycles())).toEqual(sums(imported));
    await expectIntegrity(service.dataSource);
  });

  it('counts the entries that the cycles have now, and those that come back with them', async () => {
    const document = documentOf(2, { expenses: 1, incomes: 1 });
    const operation = operationOf(await importDocument(user, document).expect(200)) ?? '';
    const removal = (await user.undoOperation(operation)).operation_id ?? '';
    await user.undoOperation(removal);
    const [first, second] = (await cycles()) as [CycleResponse, CycleResponse];
    await addExpenses(first, MAX_ENTRIES - 1);
    await addExpenses(second, MAX_ENTRIES - 1);
    await expectTooLarge(operation);

    await user.delete(`/cycles/${first.id}`).expect(204);
    await user.delete(`/cycles/${second.id}`).expect(204);
    await expectTooLarge(removal);
    for (const { id } of [first, second]) await user.undo(['cycle', id]);
    expect(await cycles()).toMatchObject([{ id: first.id }, { id: second.id }]);
    await expectIntegrity(service.dataSource);
  });
});
