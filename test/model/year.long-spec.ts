import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { plusDays } from '../support/forecast-periods.js';
import { useService } from '../support/service.js';
import {
  ACCOUNTS,
  LAST_DAY,
  YearHousehold,
  type CurrentBalances,
} from '../support/year-household.js';
import { cents, money, type Cents } from './cents.js';

jest.setTimeout(300_000);

interface OpeningForecast {
  opening_balance: string;
  opening: { source: string; stated_at: string | null };
}

interface Evening {
  source: string;
  opening_balance: string;
  total_usd: string;
  amounts: Record<string, string>;
}

const absolute = (amount: Cents): Cents => (amount < 0n ? -amount : amount);

describe('a household that is paid in pesos and dollars, states balances each quincena and closes its cycles', () => {
  const service = useService();
  let household: YearHousehold;

  beforeAll(() => {
    household = new YearHousehold(service);
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  async function readEvening(): Promise<Evening> {
    const { user, methods } = household;
    const forecast = await user.read<OpeningForecast>('/forecast');
    const current = await user.read<CurrentBalances>('/balances/current');
    return {
      source: forecast.opening.source,
      opening_balance: forecast.opening_balance,
      total_usd: current.total_usd,
      amounts: Object.fromEntries(
        current.payment_methods.map(({ payment_method: { id }, amount }) => [
          methods.get(id) ?? id,
          amount,
        ]),
      ),
    };
  }

  it('has on each evening of a year what was stated and entered, to the cent', async () => {
    await household.begin();
    let largest = 0n;
    for (; household.today <= LAST_DAY; household.today = plusDays(household.today, 1)) {
      await household.live();
      const known = money(household.totalKnown);
      const evening = await readEvening();
      expect({ today: household.today, ...evening }).toEqual({
        today: household.today,
        source: 'stated',
        opening_balance: known,
        total_usd: known,
        amounts: Object.fromEntries(
          ACCOUNTS.map((account) => [account, money(household.known(account))]),
        ),
      });
      if (household.waitsForTomorrow) continue;
      const difference = absolute(household.totalKnown - household.totalReal);
      if (difference > largest) largest = difference;
    }
    // What is wrong is what was forgotten within half a month.
    expect(largest).toBeLessThan(cents('200.00'));
    // The year has what makes it hard.
    expect(household.forgotten).toBeGreaterThan(cents('1000.00'));
    expect(household.moved).toEqual({ expenses: 8, incomes: 3 });
  });
});
