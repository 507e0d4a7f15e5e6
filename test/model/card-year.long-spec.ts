import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { LAST_DAY } from '../support/card-year-accounts.js';
import { CardYearHousehold } from '../support/card-year-household.js';
import { plusDays } from '../support/forecast-periods.js';
import { useService } from '../support/service.js';
import { cents, money, sumOf, type Cents } from './cents.js';

jest.setTimeout(300_000);

interface Forecast {
  opening_balance: string;
  opening: { source: string };
  free_until: string;
  pay_windows: { free: string; limited_by: { date: string; balance: string } }[];
}

interface Statement {
  amount: string;
  status: string;
  paid: boolean;
}

/** What is owed for a card, in its currency, by the service. */
async function owedOf({ user, ids }: CardYearHousehold, card: 'azul' | 'gold'): Promise<Cents> {
  const path = `/payment-methods/${ids.get(card) ?? ''}/statements`;
  const statements = await user.read<Statement[]>(path);
  return sumOf(statements.filter(({ paid }) => !paid).map(({ amount }) => cents(amount)));
}

async function expectFortnight(household: CardYearHousehold): Promise<void> {
  const { today } = household;
  const { free_until, pay_windows } = await household.user.read<Forecast>('/forecast');
  const { date, balance } = household.leastUntil(free_until);
  const [window] = pay_windows;
  expect({ today, free: window?.free, limited_by: window?.limited_by }).toEqual({
    today,
    free: money(balance < 0n ? 0n : balance),
    limited_by: { date, balance: money(balance) },
  });
}

describe('a household with a card in pesos and one in dollars, whose statements leave its accounts', () => {
  const service = useService();

  afterAll(() => {
    jest.useRealTimers();
  });

  it.each([
    { source: 'stated', statesBalances: true },
    { source: 'plan', statesBalances: false },
  ])(
    'has on each evening of a year what is in its accounts, to the cent ($source)',
    async ({ source, statesBalances }) => {
      await service.query(`DELETE FROM exchange_rates WHERE rate_date > '2025-01-01'`);
      const household = new CardYearHousehold(service, statesBalances);
      await household.begin();
      let fortnights = 0;
      for (; household.today <= LAST_DAY; household.today = plusDays(household.today, 1)) {
        await household.live();
        const { today } = household;
        if (!household.waitsForTomorrow) {
          const { opening, opening_balance } = await household.user.read<Forecast>('/forecast');
          expect({ today, source: opening.source, opening_balance }).toEqual({
            ...{ today, source, opening_balance: money(household.opening) },
          });
          if (household.isFortnight) {
            await expectFortnight(household);
            fortnights += 1;
          }
        }
        await household.endDay();
      }
      expect(fortnights).toBe(24);
      const { azul, gold } = household.cards;
      expect({
        azul: money(household.left.azul),
        gold: money(household.left.gold),
      }).toEqual({
        azul: money(azul.bought - (await owedOf(household, 'azul'))),
        gold: money(gold.bought - (await owedOf(household, 'gold'))),
      });
      // The year has what makes it hard.
      const { late, partial, stated, refunds } = household.counts;
      expect(Math.min(late, partial, stated, refunds)).toBeGreaterThan(1);
    },
  );
});
