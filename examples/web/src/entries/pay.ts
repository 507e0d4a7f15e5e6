/** Marks expenses as paid and incomes as received, or takes that back, with one press. */
import { useState } from 'react';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { putEntry, type Entry, type Version } from './entry';

type Paid = Version & Pick<Entry, 'description' | 'amount' | 'currency'>;

/** An undo makes a new version, which is not paid. */
const keyOf = ({ id, updated_at }: Version): string => `${id} ${updated_at}`;

/**
 * `pay` and `receive` resolve to whether it succeeded; undo is offered in the message. `isDone`
 * tells at once which entries to show as paid or received, before they have been read again.
 */
export function usePay() {
  const { t, money } = useLocale();
  const { write } = useWrite();
  const [saving, setSaving] = useState<readonly string[]>([]);
  const [done, setDone] = useState<readonly string[]>([]);

  async function save(entry: Paid, text: string, send: Parameters<typeof write>[0]['send']) {
    const key = keyOf(entry);
    setSaving((ids) => [...ids, entry.id]);
    setDone((keys) => [...keys, key]);
    const amount = money(entry.amount, entry.currency);
    const isSaved = await write({ name: entry.description, done: `${text}, ${amount}`, send });
    setSaving((ids) => ids.filter((id) => id !== entry.id));
    if (!isSaved) setDone((keys) => keys.filter((each) => each !== key));
    return isSaved;
  }

  return {
    pay: (expense: Paid, cycleId: string, paid = true): Promise<boolean> =>
      save(expense, (paid ? t.done.paid : t.entries.notPaid)(expense.description), () =>
        putEntry('expense', cycleId, expense, { paid }),
      ),
    receive: (income: Paid, cycleId: string, received = true): Promise<boolean> =>
      save(income, (received ? t.done.received : t.entries.notReceived)(income.description), () =>
        putEntry('income', cycleId, income, { received }),
      ),
    isSaving: ({ id }: Pick<Entry, 'id'>): boolean => saving.includes(id),
    isDone: (entry: Version): boolean => done.includes(keyOf(entry)),
  };
}
