/** What expenses and incomes have in common, and what can be done with them. */
import { useState } from 'react';
import { addAmounts, type GetPath, type Schemas } from 'expense-service-client';
import { client, queries, tagOf, UNCHANGED_BY_PAYMENTS } from '../api';
import type { Cycle, Expense, Income } from '../api';
import { statementOf, type Statement } from '../cards/statement';
import { useLocale } from '../locale';
import { useWrite } from '../write';

export type Kind = 'expense' | 'income';
interface InCycle {
  cycleId: string;
  /** Of what is bought with a card: it leaves with it, not by itself. */
  statement?: Statement | undefined;
}
export type ExpenseEntry = Expense & InCycle;
export type IncomeEntry = Income & InCycle;
export type Entry = ExpenseEntry | IncomeEntry;

export const totalUsd = (entries: readonly { amount_usd: string }[]): string =>
  addAmounts(...entries.map((entry) => entry.amount_usd));

export const isExpense = (entry: Entry): entry is ExpenseEntry => 'due_date' in entry;

export const dateOf = (entry: Entry): string =>
  isExpense(entry) ? entry.due_date : entry.income_date;

export const stateOf = (entry: Entry) =>
  isExpense(entry) ? entry.status : entry.received ? 'received' : 'expected';

/** Whether it leaves with a statement. */
export const isByCard = (entry: Entry): boolean =>
  isExpense(entry) && entry.statement !== undefined;

/** Whether it is still to be paid or received by itself. */
export const isOpen = (entry: Entry): boolean =>
  !isByCard(entry) && ['pending', 'overdue', 'expected'].includes(stateOf(entry));

export const isSettled = (entry: Entry): boolean =>
  isExpense(entry) ? entry.paid : entry.received;

/** The expense as spent where it was bought with a card until today, as a budget counts it. */
export const spentBy = (today: string, expense: ExpenseEntry): ExpenseEntry => ({
  ...expense,
  paid: expense.statement
    ? expense.due_date <= today && expense.status !== 'cancelled'
    : expense.paid,
});

/** Expenses or incomes of a cycle, with their statements. */
export const inCycle = <Each extends Expense | Income>(
  entries: readonly Each[],
  cycleId: string,
  statements: readonly Statement[],
): (Each & InCycle)[] =>
  entries.map((each) => {
    const date = 'due_date' in each ? each.due_date : each.income_date;
    return { ...each, cycleId, statement: statementOf(statements, each, date) };
  });

const pathOf = (entry: Entry) =>
  isExpense(entry)
    ? ('/cycles/{cycle_id}/expenses/{expense_id}' as const)
    : ('/cycles/{cycle_id}/incomes/{income_id}' as const);

/** In the version that the user saw. */
const versionOf = (entry: Entry) => ({
  params: { path: { cycle_id: entry.cycleId, expense_id: entry.id, income_id: entry.id } },
  ifMatch: tagOf(entry),
});

/** Has the day of the one or of the other. */
export type NewEntry = NewExpense & NewIncome;
type NewExpense = Schemas['CreateExpenseDto'];
type NewIncome = Schemas['CreateIncomeDto'];
type Changes = Schemas['UpdateExpenseDto'] | Schemas['UpdateIncomeDto'];

export const putEntry = (entry: Entry, body: Changes, refreshLater?: GetPath[]) =>
  queries.send('PUT', pathOf(entry), { ...versionOf(entry), body, refreshLater });

/** What does not change with whether an entry is paid or received. */
const unchangedBySettling = (entry: Entry): GetPath[] => [
  ...UNCHANGED_BY_PAYMENTS,
  '/card-statements',
  isExpense(entry) ? '/incomes' : '/expenses',
];

/** Whether a new entry goes to it by its day alone. */
export const takesEntries = ({ status, side }: Cycle): boolean => status !== 'completed' && !side;

/** The id of the cycle that takes entries of a day. */
async function cycleOf(date: string): Promise<string | undefined> {
  const { data } = await client.GET('/cycles', { params: { query: { date } } });
  return data.cycles.find(takesEntries)?.id;
}

/** Adds an entry to a cycle, or else to the one that has its day; undefined if none has. */
export async function addEntry(body: NewExpense | NewIncome, cycleId?: string) {
  const [kind, date] =
    'due_date' in body
      ? (['expense', body.due_date] as const)
      : (['income', body.income_date] as const);
  const cycle_id = cycleId ?? (await cycleOf(date));
  if (cycle_id === undefined) return undefined;
  const params = { path: { cycle_id } };
  return queries.send('POST', `/cycles/{cycle_id}/${kind}s`, { params, body });
}

/** Expenses of a cycle, in the versions that the user saw. */
export const payAll = (cycle_id: string, expenses: readonly Expense[]) =>
  queries.send('PATCH', '/cycles/{cycle_id}/expenses', {
    params: { path: { cycle_id } },
    body: {
      expenses: expenses.map(({ id, updated_at }) => ({ id, paid: true, if_match: updated_at })),
    },
  });

export const deleteEntry = (entry: Entry) =>
  queries.send('DELETE', pathOf(entry), versionOf(entry));

/** An undo makes a new version, which is not paid. */
const keyOf = ({ id, updated_at }: Entry): string => `${id} ${updated_at}`;

/**
 * Marks expenses as paid and incomes as received, or takes that back, with one press. `isDone`
 * tells at once which entries to show as paid or received, before they have been read again.
 */
export function useSettling() {
  const { t, money } = useLocale();
  const { write } = useWrite();
  const [done, setDone] = useState<readonly string[]>([]);

  async function settle(entry: Entry, isSettled = true): Promise<void> {
    const { description: name } = entry;
    const body = isExpense(entry) ? { paid: isSettled } : { received: isSettled };
    const texts = isExpense(entry)
      ? { true: t.done.paid, false: t.entries.notPaid }
      : { true: t.done.received, false: t.entries.notReceived };
    const text = `${texts[`${isSettled}`](name)}, ${money(entry.amount, entry.currency)}`;
    const key = keyOf(entry);
    setDone((keys) => [...keys, key]);
    const send = () => putEntry(entry, body, unchangedBySettling(entry));
    const isSaved = await write({ name, done: text, send });
    if (!isSaved) setDone((keys) => keys.filter((each) => each !== key));
  }

  return { settle, isDone: (entry: Entry) => done.includes(keyOf(entry)) };
}

export type Settling = ReturnType<typeof useSettling>;
