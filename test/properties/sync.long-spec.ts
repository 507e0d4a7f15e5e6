import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { PreviewResponse } from '../../src/cycles/dto/preview.dto.js';
import type { SyncResponse } from '../../src/cycles/dto/sync.dto.js';
import { canonicalJson } from '../../src/platform/values/canonical-json.js';
import { cents, money, sumOf } from '../model/cents.js';
import { without } from '../model/views.js';
import type { Client } from '../support/client.js';
import { expectIntegrity } from '../support/integrity.js';
import { longRuns } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import {
  anyAmountChanges,
  anyDate,
  anyLimits,
  anyRule,
  anySkippedDates,
  anyTemplate,
  asPending,
  createTemplates,
  storeRate,
} from './random-plans.js';

// Random sequences of many requests: on a busy machine they take longer than the default.
jest.setTimeout(600_000);

const service = useService();

const PLAN = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '5000.00' };

/** The cycles before and after it. */
const NEIGHBOURS = [
  { start_date: '2025-12-08', end_date: '2026-01-18' },
  { start_date: '2026-03-02', end_date: '2026-04-12' },
];

const anyAmount = fc.integer({ min: 100, max: 90_000 }).map((value) => money(BigInt(value)));

/** Edits of an entry; those of the other kind of entry are not sent. */
const anyEntryEdit = fc.record({
  entry: fc.nat(),
  edit: fc.oneof(
    fc.constantFrom(
      'delete',
      { paid: true },
      { paid: false },
      { status: 'cancelled' },
      { received: true },
      { comments: 'Note' },
      { category: 'fixed' },
    ),
    anyAmount.map((amount) => ({ amount })),
    anyDate.map((due_date) => ({ due_date })),
    anyDate.map((income_date) => ({ income_date })),
  ),
});

const anyTemplateEdit = fc.record({
  template: fc.nat(),
  edit: fc.oneof(
    anyAmount.map((base_amount) => ({ base_amount })),
    fc.boolean().map((active) => ({ active })),
    fc.constantFrom('keep', 'before', 'after').map((weekend_rule) => ({ weekend_rule })),
    anyLimits,
    anyAmountChanges.map((amount_changes) => ({ amount_changes })),
    anySkippedDates.map((skipped_dates) => ({ skipped_dates })),
    fc.constantFrom('USD', 'MXN').map((currency) => ({ currency })),
    anyRule,
  ),
});

const anyRound = fc.record({
  entryEdits: fc.array(anyEntryEdit, { maxLength: 6 }),
  templateEdits: fc.array(anyTemplateEdit, { maxLength: 3 }),
  newTemplates: fc.array(anyTemplate, { maxLength: 1 }),
  /** What happens in the cycles before and after: synchronizations, and deletions of an entry. */
  inNeighbours: fc.array(fc.tuple(fc.nat({ max: 1 }), fc.option(fc.nat(), { nil: null })), {
    maxLength: 3,
  }),
});

type Round = typeof anyRound extends fc.Arbitrary<infer Value> ? Value : never;

/** An expense or an income, stored or in a preview. */
interface Entry {
  id?: string;
  amount_usd: string;
  comments: string | null;
  template_id: string | null;
  occurrence_date: string | null;
  paid?: boolean;
  received?: boolean;
  status?: string;
  due_date?: string;
  updated_at?: string;
}

const keyOf = ({ template_id, occurrence_date }: Pick<Entry, 'template_id' | 'occurrence_date'>) =>
  `${String(template_id)} ${String(occurrence_date)}`;

/** The values that a synchronization sets. */
const valuesOf = (entry: Entry): object =>
  without(
    entry as Entry & Record<string, unknown>,
    ...['id', 'created_at', 'updated_at', 'comments'],
    ...['paid', 'paid_at', 'received', 'received_at', 'status'],
  );

/** Without the instalment, which changes only together with another value. */
const comparedValuesOf = (entry: Entry): object =>
  without(valuesOf(entry) as Record<string, unknown>, 'instalment');

/** Without the conversion, which also changes with the rates. */
const editedValuesOf = (entry: Entry): object =>
  without(comparedValuesOf(entry) as Record<string, unknown>, 'amount_usd', 'exchange_rate');

const isEqual = (a: object, b: object): boolean => canonicalJson(a) === canonicalJson(b);

/** A cycle whose synchronizations are compared with the preview of a new cycle. */
class SyncedCycle {
  /** The values at generation or the last synchronization by id, to recognize edits. */
  private readonly generated = new Map<string, object>();
  /** The occurrences whose entry was deleted by hand. */
  private readonly deleted = new Set<string>();

  private constructor(
    private readonly user: Client,
    private readonly templates: string[],
    private readonly id: string,
    private readonly neighbours: readonly string[],
  ) {}

  static async create(
    user: Client,
    templates: Parameters<typeof createTemplates>[1],
  ): Promise<SyncedCycle> {
    const paths = await createTemplates(user, templates);
    const { id } = await user.createCycle(PLAN);
    const neighbours: string[] = [];
    for (const days of NEIGHBOURS) neighbours.push((await user.createCycle(days)).id);
    const cycle = new SyncedCycle(user, paths, id, neighbours);
    for (const entry of await cycle.entries()) cycle.remember(entry);
    await user.createExpense(id);
    await user.createIncome(id);
    return cycle;
  }

  private remember(entry: Entry): void {
    if (entry.id !== undefined) this.generated.set(entry.id, editedValuesOf(entry));
  }

  private async entries(id = this.id): Promise<Entry[]> {
    const { expenses } = await this.user.expenses(id);
    const { incomes } = await this.user.incomes(id);
    return [...expenses, ...incomes];
  }

  async edit({ entryEdits, templateEdits, newTemplates, inNeighbours }: Round): Promise<void> {
    for (const { entry: number, edit } of entryEdits) {
      const entries = await this.entries();
      const entry = entries[number % entries.length];
      if (!entry) continue;
      const kind = entry.due_date === undefined ? 'incomes' : 'expenses';
      const path = `/cycles/${this.id}/${kind}/${String(entry.id)}`;
      if (edit === 'delete') {
        await this.user.delete(path).expect(204);
        if (entry.template_id !== null) this.deleted.add(keyOf(entry));
      } else {
        const response = await this.user.put(path, edit);
        const isOfOtherKind = Object.keys(edit).some((field) => !(field in entry));
        expect(response.status).toBe(isOfOtherKind ? 422 : 200);
      }
    }
    for (const { template, edit } of templateEdits) {
      const path = this.templates[template % this.templates.length];
      if (path !== undefined) await this.user.put(path, edit).expect(200);
    }
    this.templates.push(...(await createTemplates(this.user, newTemplates)));
    for (const [index, deleted] of inNeighbours) await this.editNeighbour(index, deleted);
  }

  /** Synchronizes one of the other cycles, or deletes one of its entries. */
  private async editNeighbour(index: number, deleted: number | null): Promise<void> {
    const id = this.neighbours[index] ?? '';
    if (deleted === null) {
      await this.user.post(`/cycles/${id}/sync`).expect(200);
      return;
    }
    const entries = await this.entries(id);
    const entry = entries[deleted % entries.length];
    if (!entry) return;
    const kind = entry.due_date === undefined ? 'incomes' : 'expenses';
    await this.user.delete(`/cycles/${id}/${kind}/${String(entry.id)}`).expect(204);
  }

  private reasonOf(entry: Entry): string | undefined {
    if (entry.paid) return 'paid';
    if (entry.received) return 'received';
    if (entry.status === 'cancelled') return 'cancelled';
    const generated = this.generated.get(String(entry.id));
    return generated && !isEqual(generated, editedValuesOf(entry)) ? 'edited' : undefined;
  }

  async synchronize(): Promise<void> {
    const preview = (await this.user.post('/cycles/preview', PLAN).expect(200))
      .body as PreviewResponse;
    const wanted = new Map(
      [...preview.expenses, ...preview.incomes].map((entry) => [keyOf(entry), entry as Entry]),
    );
    const before = await this.entries();
    const elsewhere = new Set<string>();
    for (const id of this.neighbours) {
      for (const entry of await this.entries(id)) elsewhere.add(keyOf(entry));
    }
    const path = `/cycles/${this.id}/sync`;
    const announced = await this.user.read<SyncResponse>(path);
    expect(await this.entries()).toEqual(before);
    const done = (await this.user.post(path).expect(200)).body as SyncResponse;
    expect(done).toEqual(announced);

    const kept: object[] = [];
    const expected: Entry[] = [];
    for (const entry of before) {
      const key = keyOf(entry);
      const given = wanted.get(key);
      wanted.delete(key);
      const isAsWanted = given && isEqual(comparedValuesOf(entry), comparedValuesOf(given));
      const reason = this.reasonOf(entry);
      if (entry.template_id === null || isAsWanted) expected.push(entry);
      else if (reason !== undefined) {
        kept.push({ id: entry.id, reason });
        expected.push(entry);
      } else if (given) expected.push({ ...given, comments: entry.comments });
    }
    for (const [key, given] of wanted) {
      if (this.deleted.has(key)) kept.push({ id: undefined, reason: 'deleted' });
      else if (!elsewhere.has(key)) expected.push(given);
    }
    const after = await this.entries();
    const shown = after.map((entry) =>
      before.some((other) => isEqual(other, entry)) ? entry : comparable(entry),
    );
    expect(sorted(shown)).toEqual(
      sorted(expected.map((entry) => (before.includes(entry) ? entry : comparable(entry)))),
    );
    const reasons = done.protected.map(({ id, reason }) => ({ id, reason }));
    expect(sorted(reasons)).toEqual(sorted(kept));
    const nothing = { add: [], change: [], remove: [] };
    expect(await this.user.read(path)).toEqual({ ...nothing, protected: done.protected });
    const changedIds = new Set(done.change.map(({ id }) => id));
    for (const entry of after) {
      const isNew = !before.some(({ id }) => id === entry.id);
      if (isNew || changedIds.has(String(entry.id))) this.remember(entry);
    }
    await this.expectExactBalance(after);
  }

  private async expectExactBalance(entries: readonly Entry[]): Promise<void> {
    const effects = entries
      .filter(({ status }) => status !== 'cancelled')
      .map(({ amount_usd, due_date }) => cents(amount_usd) * (due_date === undefined ? 1n : -1n));
    const { remaining_balance } = await this.user.cycle(this.id);
    expect(remaining_balance).toBe(money(cents(PLAN.income_amount) + sumOf(effects)));
  }
}

/** What an entry that a synchronization wrote has in common with the preview. */
function comparable(entry: Entry): object {
  const { paid, received, status, comments } = asPending(entry) as Entry;
  return { ...valuesOf(entry), paid, received, status, comments };
}

const sorted = (values: readonly object[]): string[] =>
  values.map((value) => canonicalJson(value)).sort();

describe('the synchronization of a cycle', () => {
  it('the synchronization of a cycle gives what generation gives, except for entries that are settled, edited or deleted, and what other cycles have', async () => {
    await storeRate(service, 0.048765, '2026-01-25');
    const plan = fc.tuple(
      fc.array(anyTemplate, { minLength: 1, maxLength: 4 }),
      fc.array(anyRound, { minLength: 1, maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(plan, async ([templates, rounds]) => {
        const cycle = await SyncedCycle.create(await service.signUp(), templates);
        for (const round of rounds) {
          await cycle.edit(round);
          await cycle.synchronize();
        }
      }),
      longRuns(40),
    );
    await expectIntegrity(service.dataSource);
  });
});
