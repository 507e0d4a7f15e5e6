import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import type { VarianceResponse } from '../../../src/reports/dto/variance.dto.js';
import type { Client } from '../../support/client.js';
import { setTime } from '../../support/clock.js';
import { expectError, expectInvalid } from '../../support/errors.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

const NOTHING = {
  templates: [],
  unplanned: { expense_count: 0, expenses_usd: '0.00', income_count: 0, incomes_usd: '0.00' },
};

const service = useService();

/** The first ten months of 2026. */
const month = (number: number, days = 28): Record<string, string> => ({
  start_date: `2026-${String(number).padStart(2, '0')}-01`,
  end_date: `2026-${String(number).padStart(2, '0')}-${String(days)}`,
  income_amount: '0.00',
});

const report = (user: Client, query = ''): Promise<VarianceResponse> =>
  user.read(`/reports/variance${query}`);

describe('the choice of cycles of GET /reports/variance', () => {
  let user: Client;

  beforeEach(async () => {
    setTime('2026-11-20T12:00:00Z');
    user = await service.signUp();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('GET /reports/variance takes the 6 cycles that ended last, of those that have begun', async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      ids.push((await user.createCycle(month(number))).id);
    }
    const started = { start_date: '2026-11-20', end_date: '2026-11-30' };
    const { id: today } = await user.createCycle(started);
    await user.createCycle({ start_date: '2026-11-21', end_date: '2026-12-10' });
    const deleted = await user.createCycle(started);
    await user.delete(`/cycles/${deleted.id}`).expect(204);
    const idsOf = async (query: string): Promise<string[]> =>
      (await report(user, query)).cycles.map(({ id }) => id);
    expect(await idsOf('')).toEqual([...ids.slice(2), today]);
    expect(await idsOf('?last=1')).toEqual([today]);
    expect(await idsOf('?last=2')).toEqual([...ids.slice(6), today]);
    expect(await idsOf('?last=24')).toEqual([...ids, today]);
  });

  it('GET /reports/variance takes the one created later of cycles with the same end date, and lists them by start date', async () => {
    const days = { start_date: '2026-01-01', end_date: '2026-01-28' };
    await user.createCycle(days);
    const second = await user.createCycle(days);
    const third = await user.createCycle({ ...days, start_date: '2026-01-02' });
    const fourth = await user.createCycle(days);
    const idsOf = async (query: string): Promise<string[]> =>
      (await report(user, query)).cycles.map(({ id }) => id);
    expect(await idsOf('?last=3')).toEqual([second.id, fourth.id, third.id]);
    expect(await idsOf('?last=1')).toEqual([fourth.id]);
  });

  it('GET /reports/variance without cycles is empty', async () => {
    expect(await report(user)).toEqual({ cycles: [], ...NOTHING });
    const cycle = await user.createCycle();
    expect(await report(user, `?cycle_ids=${cycle.id}`)).toMatchObject(NOTHING);
  });

  it.each([
    ['last=0', 'last', 'too_small'],
    ['last=25', 'last', 'too_large'],
    ['last=six', 'last', 'not_an_integer'],
    [`last=1&cycle_ids=${UNKNOWN_UUID}`, 'last', 'contradiction'],
    ['cycle_ids=', 'cycle_ids', 'not_a_uuid'],
    ['cycle_ids=a', 'cycle_ids', 'not_a_uuid'],
    [`cycle_ids=${UNKNOWN_UUID}&cycle_ids=${UNKNOWN_UUID}`, 'cycle_ids', 'repeated'],
  ])('GET /reports/variance?%s is refused at %s: %s', async (query, field, reason) => {
    const response = await user.get(`/reports/variance?${query}`);
    expectInvalid(response, field);
    const { details } = (response.body as ErrorBody).error;
    expect(details.reasons).toEqual({ [field]: [reason] });
  });

  it("GET /reports/variance does not find unknown, deleted and other users' cycles", async () => {
    const own = await user.createCycle();
    const deleted = await user.createCycle();
    await user.delete(`/cycles/${deleted.id}`).expect(204);
    const theirs = await (await service.signUp()).createCycle();
    for (const id of [UNKNOWN_UUID, deleted.id, theirs.id]) {
      const response = await user.get(`/reports/variance?cycle_ids=${own.id},${id}`);
      expectError(response, 404, 'CYCLE_NOT_FOUND');
    }
    expect((await report(user)).cycles).toHaveLength(1);
  });
});
