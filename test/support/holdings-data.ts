/** Reads what is stored of a household with balances. */
import type { Client } from './client.js';
import { readHousehold } from './forecast-data.js';
import type { HoldingsHousehold, StoredBalance } from './holdings-model.js';
import type { Service } from './service.js';

const MILLISECONDS = (column: string): string =>
  `round(extract(epoch FROM ${column}) * 1000)::bigint::text`;

/**
 * All that is stored of a user, as the reference implementation takes it.
 *
 * @param today the user's day
 */
export async function readHoldings(
  service: Service,
  user: Client,
  todayIn: (timeZone: string) => string,
): Promise<HoldingsHousehold> {
  const [owner] = await service.query<{ time_zone: string; next_income_amount: 'same' | 'zero' }>(
    'SELECT time_zone, next_income_amount FROM users WHERE email = $1',
    [user.email],
  );
  if (!owner) throw new Error(`There is no user ${user.email}`);
  const household = await readHousehold(service, user, todayIn(owner.time_zone));
  const balances = await service.query<Omit<StoredBalance, 'stated_at'> & { stated_at: string }>(
    `SELECT id, payment_method_id, currency, amount, ${MILLISECONDS('stated_at')} AS stated_at
     FROM balances
     WHERE active AND user_id = (SELECT id FROM users WHERE email = $1) ORDER BY seq`,
    [user.email],
  );
  const settled = await service.query<{ id: string; settled_at: string }>(
    `SELECT e.id, ${MILLISECONDS('paid_at')} AS settled_at FROM cycle_expenses e
     WHERE paid_at IS NOT NULL AND household_id = (SELECT household_id FROM users WHERE email = $1)
     UNION ALL
     SELECT e.id, ${MILLISECONDS('received_at')} FROM cycle_incomes e
     WHERE received_at IS NOT NULL
       AND household_id = (SELECT household_id FROM users WHERE email = $1)`,
    [user.email],
  );
  const settledAt = new Map(settled.map((row) => [row.id, Number(row.settled_at)]));
  return {
    ...household,
    timeZone: owner.time_zone,
    nextIncomeAmount: owner.next_income_amount,
    methods: household.methods as HoldingsHousehold['methods'],
    entries: household.entries.map((entry) => ({
      ...entry,
      settled_at: settledAt.get(entry.id) ?? null,
    })),
    balances: balances.map((row) => ({ ...row, stated_at: Number(row.stated_at) })),
  };
}
