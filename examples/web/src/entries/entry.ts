/** What expenses and incomes have in common. */
import type { Schemas } from 'expense-service-client';
import { queries, tagOf, type Expense, type Income } from '../api';

export type Entry = Expense | Income;
export type Kind = 'expense' | 'income';
export type Version = Pick<Entry, 'id' | 'updated_at'>;

export const isExpense = (entry: Entry): entry is Expense => 'due_date' in entry;

export const dateOf = (entry: Entry): string =>
  isExpense(entry) ? entry.due_date : entry.income_date;

export const stateOf = (entry: Entry) =>
  isExpense(entry) ? entry.status : entry.received ? 'received' : 'expected';

const PATHS = {
  expense: '/cycles/{cycle_id}/expenses/{expense_id}',
  income: '/cycles/{cycle_id}/incomes/{income_id}',
} as const;

/** The entry in the version that the user saw. */
const version = (cycle_id: string, entry: Version) => ({
  params: { path: { cycle_id, expense_id: entry.id, income_id: entry.id } },
  ifMatch: tagOf(entry),
});

type Changes = Schemas['UpdateExpenseDto'] | Schemas['UpdateIncomeDto'];

export const putEntry = (kind: Kind, cycleId: string, entry: Version, body: Changes) =>
  queries.send('PUT', PATHS[kind], { ...version(cycleId, entry), body });

export const deleteEntry = (kind: Kind, cycleId: string, entry: Version) =>
  queries.send('DELETE', PATHS[kind], version(cycleId, entry));
