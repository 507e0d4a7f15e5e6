import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CycleResponse } from '../../../src/cycles/dto/cycle.dto.js';
import type { PreviewResponse } from '../../../src/cycles/dto/preview.dto.js';
import type { SyncResponse } from '../../../src/cycles/dto/sync.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectIntegrity } from '../../support/integrity.js';
import { useService } from '../../support/service.js';

const service = useService();

const NOTHING: SyncResponse = { add: [], change: [], remove: [], protected: [] };

/** Saturday 1 August 2026; the Friday before is in July. */
const OCCURRENCE = '2026-08-01';
const JULY = { start_date: '2026-07-01', end_date: '2026-07-31', income_amount: '0.00' };
const AUGUST = { start_date: '2026-08-01', end_date: '2026-08-31', income_amount: '0.00' };

/** A template of each kind, by which an entry is found and settled. */
const KINDS = {
  expense: { templates: '/expense-templates', entries: 'expenses', settled: { paid: true } },
  income: { templates: '/income-templates', entries: 'incomes', settled: { received: true } },
} as const;

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
  'an %s that its weekend rule has moved to the next cycle, after the rule was changed',
  (kind) => {
    const { templates, entries, settled } = KINDS[kind];
    let user: Client;
    let template: string;
    let july: CycleResponse;
    let august: CycleResponse;

    beforeEach(async () => {
      jest.useRealTimers();
      user = await service.signUp();
      const rule = {
        ...{ description: 'Moved', base_amount: '100.00', weekend_rule: 'after' },
        ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 1 } },
      };
      template = (
        kind === 'expense' ? await user.createTemplate(rule) : await user.createIncomeTemplate(rule)
      ).id;
      july = await user.createCycle(JULY);
      august = await user.createCycle(AUGUST);
      await user.put(`${templates}/${template}`, { weekend_rule: 'before' }).expect(200);
    });
    afterAll(() => {
      jest.useRealTimers();
    });

    const compare = ({ id }: CycleResponse): Promise<SyncResponse> =>
      user.read(`/cycles/${id}/sync`);

    async function synchronize(cycle: CycleResponse): Promise<SyncResponse> {
      const announced = await compare(cycle);
      const done = await user.post(`/cycles/${cycle.id}/sync`).expect(200);
      expect(done.body).toEqual(announced);
      return announced;
    }

    /** The entries of a cycle that come from the occurrence. */
    async function movedEntries({ id }: CycleResponse): Promise<{ id: string }[]> {
      const all =
        kind === 'expense' ? (await user.expenses(id)).expenses : (await user.incomes(id)).incomes;
      return all.filter(({ occurrence_date }) => occurrence_date === OCCURRENCE);
    }

    async function pathOfMoved(): Promise<string> {
      const [entry] = await movedEntries(august);
      return `/cycles/${august.id}/${entries}/${entry?.id ?? ''}`;
    }

    it('is not added to the cycle in which it is due now, while the other one has it', async () => {
      expect(await compare(july)).toEqual(NOTHING);
      await user.put(await pathOfMoved(), settled).expect(200);
      expect(await synchronize(july)).toEqual(NOTHING);
      await user.put(`/cycles/${august.id}`, { status: 'completed' }).expect(200);
      expect(await synchronize(july)).toEqual(NOTHING);
      expect(await movedEntries(july)).toEqual([]);
      expect(await user.cycle(july.id)).toEqual(july);
      await expectIntegrity(service.dataSource);
    });

    it('is added once the other cycle has it no longer', async () => {
      const added = [{ template_id: template, occurrence_date: OCCURRENCE }];
      const removal = (await synchronize(august)).remove;
      expect(removal).toMatchObject([{ description: 'Moved' }]);
      expect((await compare(july)).add).toMatchObject(added);
      await user.undo([`cycle_${kind}`, removal[0]?.id ?? '']);
      expect((await compare(july)).add).toEqual([]);
      await user.delete(await pathOfMoved()).expect(204);
      expect((await synchronize(july)).add).toMatchObject(added);
      expect(await movedEntries(july)).toHaveLength(1);
    });

    it('is added when the other cycle is deleted', async () => {
      expect((await compare(july)).add).toEqual([]);
      await user.delete(`/cycles/${august.id}`).expect(204);
      expect((await compare(july)).add).toMatchObject([{ occurrence_date: OCCURRENCE }]);
      await user.undo(['cycle', august.id]);
      expect((await compare(july)).add).toEqual([]);
    });

    it('is in previews and new cycles, which keep it beside the other', async () => {
      const preview = (await user.post('/cycles/preview', JULY).expect(200))
        .body as PreviewResponse;
      expect(preview[entries].map(({ occurrence_date }) => occurrence_date)).toContain(OCCURRENCE);
      const overlapping = await user.createCycle(JULY);
      expect(await movedEntries(overlapping)).toHaveLength(1);
      expect(await compare(overlapping)).toEqual(NOTHING);
      await user.put(`${templates}/${template}`, { weekend_rule: 'after' }).expect(200);
      expect(await compare(august)).toEqual(NOTHING);
    });

    it('counts in the forecast only where the stored cycle has it', async () => {
      await user.delete(`/cycles/${july.id}`).expect(204);
      setTime('2026-07-20T12:00:00Z');
      const forecast = (): Promise<ForecastResponse> =>
        user.read('/forecast?to=2026-08-31&include=entries');
      const datesOf = ({ entries: found }: ForecastResponse): string[] | undefined =>
        found
          ?.filter(({ occurrence_date }) => occurrence_date === OCCURRENCE)
          .map(({ date }) => date);
      expect(datesOf(await forecast())).toEqual(['2026-08-03']);
      await user.put(await pathOfMoved(), settled).expect(200);
      const found = await forecast();
      expect(datesOf(found)).toEqual([]);
      expect(found.cycles).toMatchObject([
        { source: 'proposed', start_date: '2026-07-20', incomes: '0.00', expenses: '0.00' },
        { source: 'stored', incomes: '0.00', expenses: '0.00' },
      ]);
      await user.put(`/cycles/${august.id}`, { status: 'completed' }).expect(200);
      expect(datesOf(await forecast())).toEqual([]);
      await user.delete(`/cycles/${july.id}`).expect(404);
      // A new cycle has it, which the documentation says.
      await user.createCycle({ ...JULY, start_date: '2026-07-20' });
      expect(datesOf(await forecast())).toEqual(['2026-07-31']);
    });
  },
);

describe('an expense in another cycle', () => {
  afterAll(() => {
    jest.useRealTimers();
  });

  it('keeps its occurrence from being added while it is cancelled, and takes from no budget there', async () => {
    const user = await service.signUp();
    const { id: budget_id } = await user.createBudget({ name: 'Casa', limit: '150.00' });
    const { id } = await user.createTemplate({
      ...{ base_amount: '100.00', weekend_rule: 'after', budget_id },
    });
    const july = await user.createCycle(JULY);
    const august = await user.createCycle(AUGUST);
    const { expenses } = await user.expenses(august.id);
    const path = `/cycles/${august.id}/expenses/${expenses[0]?.id ?? ''}`;
    await user.put(path, { status: 'cancelled' }).expect(200);
    await user.put(`/expense-templates/${id}`, { weekend_rule: 'before' }).expect(200);
    expect((await user.read<SyncResponse>(`/cycles/${july.id}/sync`)).add).toEqual([]);

    await user.delete(`/cycles/${july.id}`).expect(204);
    setTime('2026-07-20T12:00:00Z');
    const query = 'to=2026-07-31&include=entries&set_aside=budgets';
    const { entries } = await user.read<ForecastResponse>(`/forecast?${query}`);
    expect(entries).toMatchObject([{ entity_type: 'budget', amount: '150.00' }]);
  });
});
