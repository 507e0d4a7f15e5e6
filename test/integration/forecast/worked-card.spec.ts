import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { OccurrencesResponse } from '../../../src/templates/dto/occurrences.dto.js';
import { buyByCard, createCardHousehold } from '../../support/card-household.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { CONCEPTS, documentedExample, documentedRows } from '../../support/documented-table.js';
import { useService } from '../../support/service.js';

const documented = documentedRows(documentedExample('card'), 'Day');

/** The card and the instalments of docs/concepts.md. */
describe('the worked example of a card', () => {
  const service = useService();
  let ana: Client;
  let household = { cardId: '', cycleId: '' };

  beforeAll(async () => {
    setTime('2026-03-12T18:00:00Z');
    ana = await service.signUp({ time_zone: 'America/Mexico_City' });
    household = await createCardHousehold(ana);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const buy = (amount: string, date: string): Promise<string> =>
    buyByCard(ana, household, { amount, date });

  const payStatement = async (closing: string, body: object = {}): Promise<void> => {
    await ana
      .put(`/payment-methods/${household.cardId}/statements/${closing}`, { paid: true, ...body })
      .expect(200);
  };

  const steps: [string, () => Promise<unknown>][] = [
    [
      '2026-03-13',
      async () => {
        await buy('40.00', '2026-02-13');
        const paid = await buy('60.00', '2026-03-12');
        await ana.put(`/cycles/${household.cycleId}/expenses/${paid}`, { paid: true }).expect(200);
      },
    ],
    [
      '2026-04-02',
      async () => {
        await buy('20.00', '2026-03-25');
        await payStatement('2026-03-12', { paid_amount: '60.00' });
      },
    ],
    ['2026-04-05', () => buy('30.00', '2026-03-10')],
    [
      '2026-04-06',
      () =>
        ana.createIncome(household.cycleId, {
          ...{ currency: 'USD', amount: '20.00', income_date: '2026-03-20' },
          payment_method_id: household.cardId,
        }),
    ],
    ['2026-05-02', () => payStatement('2026-04-12')],
  ];

  it('what each day does gives the numbers of the table', async () => {
    const rows: (string | undefined)[][] = [];
    for (const [day, act] of steps) {
      setTime(`${day}T18:00:00Z`);
      ana = await service.signIn(ana.email);
      await act();
      const path = '/forecast?include=entries';
      const { opening_balance, entries } = await ana.read<ForecastResponse>(path);
      const statement = entries?.find(({ entity_type }) => entity_type === 'card_statement');
      rows.push([day, opening_balance, statement?.date ?? '', statement?.amount ?? '']);
    }
    expect(rows).toEqual(documented.map(([day, , ...numbers]) => [day, ...numbers]));
  });

  it('instalments have the amounts that the page names, which are the price', async () => {
    const sentence = /([\d.]+) in (\d+) instalments are (\d+) of ([\d.]+\d) and one of ([\d.]+\d)/;
    const [, price = '', count, equal, amount = '', last = ''] =
      sentence.exec(CONCEPTS.replaceAll(/\s+/g, ' ')) ?? [];
    const computed = await ana.post('/occurrences', {
      ...{ base_amount: amount, last_amount: last, from: '2026-06-01', to: '2027-06-30' },
      ...{ recurrence_type: 'monthly', recurrence_config: { day_of_month: 5 } },
      ...{ reference_date: '2026-06-05', starts_on: '2026-06-01', ends_on: '2027-05-31' },
    });
    const { occurrences } = computed.body as OccurrencesResponse;
    expect(occurrences.map((one) => [one.amount, one.instalment])).toEqual(
      Array.from({ length: Number(count) }, (_, index) => [
        index < Number(equal) ? amount : last,
        { number: index + 1, count: Number(count) },
      ]),
    );
    const cents = occurrences.map((one) => Math.round(Number(one.amount) * 100));
    expect(cents.reduce((sum, each) => sum + each, 0)).toBe(Math.round(Number(price) * 100));
  });
});
