import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClosedCycleResponse } from '../../../src/cycles/dto/closing.dto.js';
import type { NextCycleResponse } from '../../../src/cycles/dto/next-cycle.dto.js';
import type { ForecastResponse } from '../../../src/forecast/dto/forecast.dto.js';
import type { WhatIfResponse } from '../../../src/forecast/dto/what-if.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { CONCEPTS, documentedExample, documentedRows } from '../../support/documented-table.js';
import { createFortnightHousehold, stateBalance } from '../../support/fortnight-household.js';
import { useService } from '../../support/service.js';

const documented = documentedRows(documentedExample('fortnight'), 'Day');

/** The fortnight of docs/concepts.md, day by day. */
describe('a fortnight from payday to payday', () => {
  const service = useService();
  let ana: Client;
  let cycleId = '';
  let paymentMethodId = '';

  beforeAll(async () => {
    setTime('2026-02-10T17:00:00Z');
    ana = await service.signUp({ time_zone: 'America/Mexico_City' });
    ({ cycleId, paymentMethodId } = await createFortnightHousehold(ana));
    await stateBalance(ana, paymentMethodId, '5000.00');
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  const pay = async (description: string, date: string, amount?: string): Promise<void> => {
    const { expenses } = await ana.expenses(cycleId);
    const due = expenses.find((each) => each.description === description && each.due_date === date);
    await ana
      .put(`/cycles/${cycleId}/expenses/${due?.id}`, { paid: true, ...(amount && { amount }) })
      .expect(200);
  };
  const receive = async (date: string): Promise<void> => {
    const { incomes } = await ana.incomes(cycleId);
    const income = incomes.find(({ income_date }) => income_date === date);
    await ana.put(`/cycles/${cycleId}/incomes/${income?.id}`, { received: true }).expect(200);
  };
  const forecast = (): Promise<ForecastResponse> => ana.read('/forecast');

  const tryTire = async (date: string): Promise<WhatIfResponse> => {
    const tire = { description: 'Tire', currency: 'MXN', amount: '1000.00', date };
    const response = await ana.post('/forecast', { changes: [{ op: 'add_expense', ...tire }] });
    return response.body as WhatIfResponse;
  };

  const steps: [string, () => Promise<void>][] = [
    [
      '2026-02-10',
      async () => {
        await pay('Súper', '2026-02-08');
        await pay('Gas', '2026-02-10');
      },
    ],
    ['2026-02-13', () => receive('2026-02-13')],
    ['2026-02-15', () => pay('Súper', '2026-02-15', '1380.00')],
    [
      '2026-02-17',
      async () => {
        const { difference } = await stateBalance(ana, paymentMethodId, '13500.00');
        expect(difference).toBe('-120.00');
      },
    ],
    [
      '2026-02-18',
      async () => {
        const { changed } = await tryTire('2026-02-18');
        expect(changed.lowest.balance).toBe('-25.00');
      },
    ],
    ['2026-02-20', () => pay('Seguro del coche', '2026-02-20')],
    ['2026-02-22', () => pay('Súper', '2026-02-22')],
    [
      '2026-02-24',
      async () => {
        const dinner = { description: 'Dinner', currency: 'MXN', amount: '400.00' };
        await ana.createExpense(cycleId, { ...dinner, due_date: '2026-02-24' });
        await pay('Dinner', '2026-02-24');
      },
    ],
    [
      '2026-02-27',
      async () => {
        await receive('2026-02-27');
        const { changed } = await tryTire('2026-02-27');
        expect(changed.pay_windows[0]?.free).toBe('5.00');
      },
    ],
    [
      '2026-03-01',
      async () => {
        await pay('Renta', '2026-03-01');
        await pay('Súper', '2026-03-01');
      },
    ],
    [
      '2026-03-02',
      async () => {
        const { follows, ...next } = await ana.read<NextCycleResponse>('/cycles/next');
        expect(follows?.cycle_id).toBe(cycleId);
        await ana.createCycle({ ...next });
        const closed = await ana.post(`/cycles/${cycleId}/close`, {}).expect(200);
        const { left_over } = closed.body as ClosedCycleResponse;
        expect(CONCEPTS).toContain(`The cycle leaves ${left_over} USD`);
      },
    ],
  ];

  it('what each day does gives the numbers of the table', async () => {
    const rows: (string | undefined)[][] = [];
    for (const [day, act] of steps) {
      setTime(`${day}T18:00:00Z`);
      ana = await service.signIn(ana.email);
      await act();
      const { opening_balance, pay_windows, to } = await forecast();
      const [first, next] = pay_windows;
      rows.push([day, opening_balance, first?.free, next?.from ?? to]);
    }
    expect(rows).toEqual(documented.map(([day, , ...numbers]) => [day, ...numbers]));
  });
});
