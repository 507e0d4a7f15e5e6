/** What closing a cycle does, and what it leaves for the next one. */
import { addAmounts, compareAmounts, subtractAmounts, type Schemas } from 'expense-service-client';
import { queries, type Cycle, type Forecast } from '../api';
import { balanceOn } from '../overview/plan';
import { dateOf, isExpense, takesEntries, totalUsd, type Entry, type Kind } from './entry';

/** Stored, or only proposed. */
export type Next = Pick<Cycle, 'name' | 'start_date' | 'end_date' | 'income_amount'> &
  Partial<Cycle>;

export interface ClosingContent {
  cycle: Cycle;
  open: Entry[];
  closing: Schemas['ClosingResponse'];
  forecast: Forecast;
}

/** The first open cycle that ends after it; lists begin with the latest. */
export const followingOf = (cycle: Cycle, stored: Cycle[]): Cycle | undefined =>
  stored.findLast((each) => takesEntries(each) && each.end_date > cycle.end_date);

/** Creates what is only proposed, and activates it. Returns its id. */
export async function startNext(next: Next, income_amount: string | undefined): Promise<string> {
  const { name, start_date, end_date } = next;
  const body = { name, start_date, end_date, income_amount: next.income_amount };
  const id = next.id ?? (await queries.send('POST', '/cycles', { body })).data.id;
  const changes = { status: 'active' as const, ...(income_amount && { income_amount }) };
  if (next.status !== 'active' || income_amount)
    await queries.send('PUT', '/cycles/{id}', { params: { path: { id } }, body: changes });
  // Or the cycles after it would have the same again.
  if (income_amount)
    await queries.send('PUT', '/auth/me', { body: { next_income_amount: 'zero' } });
  return id;
}

interface Choices extends ClosingContent {
  next: Next;
  /** Whether what is open stays in the closed cycle. */
  isLeft: boolean;
  /** What the next cycle starts with, if what is left is entered there. */
  carried: string | undefined;
}

/** The next cycle as the forecast has it, without what the closed one takes out of the plan. */
export function afterClosing({ cycle, open, closing, forecast, next, isLeft, carried }: Choices) {
  const { today, opening, opening_balance: balance, entries = [] } = forecast;
  const days = (forecast.days ?? []).filter(({ date }) => date <= next.end_date);
  const last = days.at(-1)?.date ?? today;
  const sum = (part: 'incomes' | 'expenses' | 'set_aside') =>
    addAmounts(...days.map((each) => each[part]));
  const budgetEntries = (entries ?? []).filter((each) => each.entity_type === 'budget');
  const leftOpen = (kind: Kind, from: string) =>
    totalUsd(
      open.filter(
        (each) =>
          isLeft &&
          isExpense(each) === (kind === 'expense') &&
          dateOf(each) >= from &&
          dateOf(each) <= last,
      ),
    );
  // The income of a cycle that has begun is in the balance of today.
  const former = carried ? next.income_amount : '0.00';
  const [inBalance, inIncomes] = next.start_date < today ? [former, '0.00'] : ['0.00', former];
  const goneWithIt = opening.source === 'stated' || carried ? '0.00' : closing.left_over;
  // What moves takes from the limits of the next cycle.
  const takenByMoved = budgetEntries
    .filter(({ date }) => date === next.end_date)
    .map(({ budget, amount_usd: limit }) => {
      const moved = totalUsd(
        open.filter((each) => !isLeft && isExpense(each) && each.budget?.id === budget?.id),
      );
      return compareAmounts(moved, limit) < 0 ? moved : limit;
    });
  const ofClosed = totalUsd(budgetEntries.filter(({ cycle_id: id }) => id === cycle.id));

  const starts = subtractAmounts(balance, addAmounts(inBalance, goneWithIt));
  const comes = subtractAmounts(sum('incomes'), addAmounts(inIncomes, leftOpen('income', today)));
  const bills = subtractAmounts(
    sum('expenses'),
    addAmounts(sum('set_aside'), leftOpen('expense', '')),
  );
  const budgets = subtractAmounts(sum('set_aside'), addAmounts(ofClosed, ...takenByMoved));
  const ends = subtractAmounts(addAmounts(starts, comes), addAmounts(bills, budgets));
  /** By how much its balances differ from those of the forecast. */
  const change = subtractAmounts(ends, balanceOn(forecast, last) ?? ends);
  return { starts, comes, bills, budgets, ends, change, last };
}
