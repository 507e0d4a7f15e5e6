/** Reads what is stored of a household with balances. */
import type { Client } from './client.js';
import { milliseconds, readHousehold } from './forecast-data.js';
import type { HoldingsHousehold, StoredBalance } from './holdings-model.js';
import type { Service } from './service.js';

/**
 * All that is stored of a user, as the reference implementation takes it.
 *
 * @param todayIn the day in a zone
 */
export async function readHoldings(
  service: Service,
  user: Client,
  todayIn: (timeZone: string) => string,
): Promise<HoldingsHousehold> {
  const household = await readHousehold(service, user, todayIn);
  const balances = await service.query<Omit<StoredBalance, 'stated_at'> & { stated_at: string }>(
    `SELECT id, payment_method_id, currency, amount, ${milliseconds('stated_at')} AS stated_at
     FROM balances
     WHERE active AND user_id = (SELECT id FROM users WHERE email = $1) ORDER BY seq`,
    [user.email],
  );
  const settled = await service.query<{ id: string; settled_at: string }>(
    `SELECT e.id, ${milliseconds('paid_at')} AS settled_at FROM cycle_expenses e
     WHERE paid_at IS NOT NULL AND household_id = (SELECT household_id FROM users WHERE email = $1)
     UNION ALL
     SELECT e.id, ${milliseconds('received_at')} FROM cycle_incomes e
     WHERE received_at IS NOT NULL
       AND household_id = (SELECT household_id FROM users WHERE email = $1)`,
    [user.email],
  );
  const settledAt = new Map(settled.map((row) => [row.id, Number(row.settled_at)]));
  return {
    ...household,
    entries: household.entries.map((entry) => ({
      ...entry,
      settled_at: settledAt.get(entry.id) ?? null,
    })),
    balances: balances.map((row) => ({ ...row, stated_at: Number(row.stated_at) })),
  };
}
