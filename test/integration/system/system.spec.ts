import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { ExchangeRateListResponse } from '../../../src/exchange-rates/dto/exchange-rate.dto.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { useService } from '../../support/service.js';

describe('GET /enums', () => {
  const service = useService();

  it('GET /enums lists the values of the enumerations', async () => {
    const user = await service.signUp();
    expect((await user.get('/enums').expect(200)).body).toEqual({
      currency_codes: ['USD', 'MXN'],
      payment_method_types: ['debit', 'credit', 'cash', 'transfer'],
      expense_categories: ['fixed', 'variable'],
      recurrence_types: ['weekly', 'bi_weekly', 'monthly', 'custom'],
      cycle_statuses: ['draft', 'active', 'completed'],
      expense_statuses: ['pending', 'paid', 'cancelled', 'overdue'],
    });
  });
});

describe('GET /exchange-rates', () => {
  const service = useService();

  async function rates(query = ''): Promise<string[]> {
    const user = await service.signUp();
    const response = await user.get(`/exchange-rates${query}`).expect(200);
    return (response.body as ExchangeRateListResponse).rates.map(
      (rate) => `${rate.rate_date} ${rate.from_currency}-${rate.to_currency} ${rate.rate}`,
    );
  }

  it('GET /exchange-rates has the initial rate in a new database, with six decimals', async () => {
    const user = await service.signUp();
    const response = await user.get('/exchange-rates').expect(200);
    expect(response.body).toEqual({
      rates: [
        {
          from_currency: 'MXN',
          to_currency: 'USD',
          rate: '0.050000',
          rate_date: '2025-01-01',
        },
      ],
    });
  });

  describe('with rates of several days', () => {
    const early = '2025-01-01 MXN-USD 0.050000';
    const late = '2026-01-10 MXN-USD 0.055500';
    const reversed = '2026-01-05 USD-MXN 18.123456';

    beforeAll(() =>
      service.query(`INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
        VALUES ('MXN', 'USD', 0.0555, '2026-01-10'), ('USD', 'MXN', 18.123456, '2026-01-05')`),
    );

    it('GET /exchange-rates with rates of several days lists every stored rate, newest first, and filters', async () => {
      expect(await rates()).toEqual([late, reversed, early]);
      expect(await rates('?from=MXN')).toEqual([late, early]);
      expect(await rates('?to=MXN')).toEqual([reversed]);
      expect(await rates('?from=USD&to=USD')).toEqual([]);
    });

    it('GET /exchange-rates with rates of several days returns the rate of each pair in force on a day', async () => {
      expect((await rates('?date=2026-01-10')).sort()).toEqual([reversed, late].sort());
      expect((await rates('?date=2026-01-09')).sort()).toEqual([early, reversed].sort());
      expect(await rates('?date=2026-01-04')).toEqual([early]);
      expect(await rates('?date=2024-12-31')).toEqual([]);
      expect(await rates('?date=2026-02-01&from=USD&to=MXN')).toEqual([reversed]);
    });
  });

  it.each([
    ['from=EUR', 'from'],
    ['to=', 'to'],
    ['date=2026-02-30', 'date'],
    ['from[]=USD', 'from'],
    ['date[a]=2026-02-01', 'date'],
    ['date=2026-02-01&date=2026-02-02', 'date'],
  ])('GET /exchange-rates refuses %s', async (query, field) => {
    const user = await service.signUp();
    expectInvalid(await user.get(`/exchange-rates?${query}`), field);
  });
});

describe('health', () => {
  const service = useService({ logLevel: 'fatal' });

  it('health returns name and version to a client with a token', async () => {
    const user = await service.signUp();
    expect((await user.get('/health').expect(200)).body).toEqual({
      status: 'healthy',
      service: 'expense-service',
      version: '1.12.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expectError(await service.anonymous.get('/health'), 401, 'INVALID_TOKEN');
  });

  it.each([
    ['/health/live', { status: 'ok' }],
    ['/health/ready', { status: 'ok', database: 'up' }],
  ])('health serves %s without a token', async (path, body) => {
    const response = await request(service.server).get(path);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body,
    });
  });

  it('health is ready while a transaction keeps the database busy for seconds', async () => {
    const busy = service.dataSource.transaction(async (manager) => {
      for (const end = performance.now() + 5000; performance.now() < end;) {
        await manager.query('SELECT count(*) FROM generate_series(1, 500000)');
      }
    });
    const ready = await request(service.server).get('/health/ready');
    expect({ status: ready.status, body: ready.body as unknown }).toEqual({
      status: 200,
      body: { status: 'ok', database: 'up' },
    });
    await busy;
  });

  it('health is live but not ready without the database', async () => {
    await service.dataSource.destroy();
    try {
      const ready = await request(service.server).get('/health/ready');
      expectError(ready, 503, 'SERVICE_UNAVAILABLE', { database: { status: 'down' } });
      expect((await request(service.server).get('/health/live')).status).toBe(200);
    } finally {
      await service.dataSource.initialize();
    }
  });
});
