import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { ExchangeRateListResponse } from '../../../src/exchange-rates/dto/exchange-rate.dto.js';
import {
  addDays,
  todayInUtc,
  type CalendarDate,
} from '../../../src/platform/values/calendar-date.js';
import { RateUpdatesSchedule } from '../../../src/rate-updates/rate-updates.schedule.js';
import {
  RateUpdatesService,
  type RateUpdate,
} from '../../../src/rate-updates/rate-updates.service.js';
import { passMidnight } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { isWeekend, RatesServer } from '../../support/rates-server.js';
import { Service } from '../../support/service.js';

await passMidnight();

const HOUR_MS = 3_600_000;
const SEEDED = {
  from_currency: 'MXN',
  to_currency: 'USD',
  rate: '0.050000',
  rate_date: '2025-01-01',
};
const TODAY = todayInUtc();
const daysAgo = (days: number): CalendarDate => addDays(TODAY, -days);

const source = new RatesServer();
const service = new Service();
const logged = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

const summaries = (): string[] =>
  logged.mock.calls
    .map(([message]) => String(message))
    .filter((text) => text.startsWith('Fetched'));

beforeAll(() => source.start());
afterAll(() => source.stop());

async function startService(): Promise<void> {
  source.respond = undefined;
  source.rate = 0.06;
  await service.start({ exchangeRatesUrl: source.url });
  await eventually('the rates are fetched at the start', () => summaries().length > 0);
}

afterEach(() => {
  source.queries.length = 0;
  jest.clearAllMocks();
});

const update = (): Promise<RateUpdate> =>
  service.app.get(RateUpdatesService).update(AbortSignal.timeout(10_000));

async function storedRates(): Promise<ExchangeRateListResponse['rates']> {
  const user = await service.signUp();
  return ((await user.get('/exchange-rates').expect(200)).body as ExchangeRateListResponse).rates;
}

describe('rates from EXCHANGE_RATES_URL', () => {
  beforeEach(startService);
  afterEach(() => service.stop());

  it('rates from EXCHANGE_RATES_URL are fetched at the start: ten days, without gaps but weekends, shown like any other', async () => {
    expect(source.queries).toEqual([{ from: daysAgo(10), to: TODAY, base: 'mxn', quotes: 'usd' }]);
    const dates = Array.from({ length: 11 }, (_, days) => daysAgo(days));
    const fetched = dates.filter((date) => !isWeekend(date));
    expect(await storedRates()).toEqual([
      ...fetched.map((rate_date) => ({ ...SEEDED, rate: '0.060000', rate_date })),
      SEEDED,
    ]);
    const message =
      `Fetched ${fetched.length} rates of MXN in USD from ${daysAgo(10)} to ${TODAY}: ${fetched.length} new. ` +
      'What was converted before keeps its rate until POST /cycles/{id}/reprice.';
    expect(summaries()).toEqual([message]);
  });

  it('rates from EXCHANGE_RATES_URL convert the expenses of a weekend by the rate of the Friday before', async () => {
    const user = await service.signUp();
    const sunday = [1, 2, 3, 4, 5, 6, 7]
      .map(daysAgo)
      .find((date) => isWeekend(addDays(date, -1)) && isWeekend(date));
    const due_date = sunday ?? '';
    const cycle = await user.createCycle();
    const expense = await user.createExpense(cycle.id, {
      currency: 'MXN',
      amount: '100.00',
      due_date,
    });
    expect(expense).toMatchObject({
      amount_usd: '6.00',
      exchange_rate: { rate: '0.060000', rate_date: addDays(due_date, -2) },
    });
  });

  it('rates from EXCHANGE_RATES_URL begin ten days before the earliest due or income date that is not deleted', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    await user.createExpense(id, { due_date: daysAgo(100) });
    expect(await update()).toMatchObject({ from: daysAgo(110), to: TODAY });
    await user
      .post(`/cycles/${id}/incomes`, {
        description: 'Paycheck',
        currency: 'USD',
        amount: '10.00',
        income_date: daysAgo(200),
      })
      .expect(201);
    expect(await update()).toMatchObject({ from: daysAgo(210) });
    const other = await user.createExpense(id, { due_date: daysAgo(300) });
    await user.delete(`/cycles/${id}/expenses/${other.id}`).expect(204);
    expect(await update()).toMatchObject({ from: daysAgo(210) });
  });

  it('rates from EXCHANGE_RATES_URL begin at most ten years ago, and ten days ago if all dates are in the future', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    await user.createExpense(id, { due_date: addDays(TODAY, 30) });
    expect(await update()).toMatchObject({ from: daysAgo(10) });
    await user.createExpense(id, { due_date: '1900-01-01' });
    const { rates, added } = await update();
    expect(source.queries.at(-1)).toMatchObject({ from: daysAgo(3650), to: TODAY });
    expect(rates).toBeGreaterThan(2600);
    expect(added).toBeGreaterThan(2500);
    expect(await update()).toMatchObject({ rates, added: 0 });
  });

  it('rates from EXCHANGE_RATES_URL replace no stored rate, and no amount until the cycle is repriced', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    const first = await user.createExpense(id, {
      currency: 'MXN',
      amount: '100.00',
      due_date: daysAgo(60),
    });
    expect(first.amount_usd).toBe('5.00');
    source.rate = 0.07;
    await update();
    const stored = await storedRates();
    expect(stored).toContainEqual(SEEDED);
    expect(
      stored.filter(({ rate_date }) => rate_date >= daysAgo(10)).map(({ rate }) => rate),
    ).not.toContain('0.070000');
    const path = `/cycles/${id}/expenses/${first.id}`;
    expect((await user.get(path)).body).toMatchObject({ amount_usd: '5.00' });
    await user.post(`/cycles/${id}/reprice`, {}).expect(200);
    expect((await user.get(path)).body).toMatchObject({ amount_usd: '7.00' });
  });

  it('rates from EXCHANGE_RATES_URL are stored for the requested days only: the last rate before them is left out', async () => {
    const user = await service.signUp();
    const { id } = await user.createCycle();
    await user.createExpense(id, { due_date: daysAgo(90) });
    const before = await storedRates();
    const rateOf = (date: CalendarDate) => ({ date, base: 'MXN', quote: 'USD', rate: 0.07 });
    const dates = [daysAgo(3000), daysAgo(101), daysAgo(100), daysAgo(20)];
    source.respond = (response) => response.end(JSON.stringify(dates.map(rateOf)));
    expect(await update()).toEqual({ from: daysAgo(100), to: TODAY, rates: 2, added: 2 });
    const added = (await storedRates()).filter(({ rate }) => rate === '0.070000');
    expect(added.map(({ rate_date }) => rate_date)).toEqual([daysAgo(20), daysAgo(100)]);
    expect(await storedRates()).toHaveLength(before.length + 2);
  });

  it('rates from EXCHANGE_RATES_URL are fetched once a day after a success', async () => {
    const delay = await service.app.get(RateUpdatesSchedule).run();
    expect(delay).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(delay).toBeLessThanOrEqual(25 * HOUR_MS);
  });

  it('rates from EXCHANGE_RATES_URL keep neither a request nor the shutdown waiting', async () => {
    let isWaiting = false;
    source.respond = () => {
      isWaiting = true;
    };
    const running = service.app.get(RateUpdatesSchedule).run();
    await eventually('the server is asked', () => isWaiting);
    const user = await service.signUp();
    const { id } = await user.createCycle();
    await user.createExpense(id, { currency: 'MXN' });
    await service.app.get(RateUpdatesSchedule).onModuleDestroy();
    expect(await running).toBe(HOUR_MS);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour', () => {
  beforeAll(startService);
  afterAll(() => service.stop());

  const rate = { date: daysAgo(20), base: 'MXN', quote: 'USD', rate: 0.06 };
  const responses: [string, unknown, RegExp][] = [
    ['an object', { rates: [rate] }, /not an array of rates$/],
    ['null', [rate, null], /not a rate of MXN in USD: null$/],
    ['another base', [rate, { ...rate, base: 'EUR' }], /not a rate of MXN in USD: \{/],
    ['another quote', [rate, { ...rate, quote: 'EUR' }], /not a rate of MXN in USD: \{/],
    ['a date that does not exist', [rate, { ...rate, date: '2026-02-30' }], /not a date: \{/],
    [
      'a date of the future',
      [rate, { ...rate, date: addDays(TODAY, 1) }],
      /a rate of the future: \{/,
    ],
    ['a wrong rate before the requested days', [{ ...rate, rate: -1 }], /not a positive rate: \{/],
    ['no rate', [rate, { ...rate, rate: null }], /not a number: \{/],
    ['a rate in text', [rate, { ...rate, rate: '0.06' }], /not a number: \{/],
    ['a rate of 0', [rate, { ...rate, rate: 0 }], /not a positive rate: \{/],
    ['a negative rate', [rate, { ...rate, rate: -0.06 }], /not a positive rate: \{/],
    ['a rate that rounds to 0', [rate, { ...rate, rate: 4e-7 }], /not a positive rate: \{/],
    ['a rate that cannot be stored', [rate, { ...rate, rate: 1e12 }], /not a positive rate: \{/],
    ['more than 1 MB', [rate, 'x'.repeat(1_000_000)], /exceeds 1000000 bytes$/],
  ];

  async function expectRefused(
    respond: (response: ServerResponse) => void,
    reason: RegExp,
    timeoutMs?: number,
  ): Promise<void> {
    const before = await storedRates();
    source.respond = respond;
    expect(await service.app.get(RateUpdatesSchedule).run(timeoutMs)).toBe(HOUR_MS);
    expect(warned.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^Exchange rates are not updated, next attempt in an hour: http:\/\/127/,
        ),
      ],
    ]);
    expect(warned.mock.calls.flat().at(-1)).toMatch(reason);
    expect(await storedRates()).toEqual(before);
  }

  it.each(responses)(
    'rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because of %s',
    async (_what, body, reason) => {
      await expectRefused((response) => response.end(JSON.stringify(body)), reason);
    },
  );

  it('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because of a status other than 200', async () => {
    await expectRefused((response) => response.writeHead(500).end('[]'), /: HTTP status 500$/);
  });

  it('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because the response is not JSON', async () => {
    await expectRefused((response) => response.end('<html>'), /is not valid JSON$/);
  });

  it('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because the connection breaks', async () => {
    await expectRefused((response) => response.destroy(), /: other side closed$/);
  });

  it('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because the server does not respond', async () => {
    await expectRefused(() => undefined, /aborted due to timeout$/, 200);
  });

  it('rates from EXCHANGE_RATES_URL are refused whole, with a warning and another attempt in an hour because the response does not end', async () => {
    await expectRefused((response) => response.write('['), /aborted due to timeout$/, 200);
  });
});
