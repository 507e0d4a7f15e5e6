/** What was just spent, in three presses: the amount, its budget, and Save. */
import { useState } from 'react';
import { Group, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { noonOf } from '../accounts/account';
import { queries, useMe, useQuery, type Currency } from '../api';
import { PaidWith } from '../cards/Instalments';
import { useIsNarrow } from '../components/Page';
import { FieldError, RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { addEntry } from './entry';
import { Effect } from './Effect';
import { CycleNeeded, Dollars } from './EntryForm';

interface Draft {
  amount: string;
  currency: Currency;
  budget_id: string | null;
  payment_method_id: string;
  due_date: string;
  status: 'paid' | 'pending';
  description: string | null;
}

/** What was chosen last, the latest budget first. */
interface Last {
  method?: string;
  currency?: Currency;
  budgets: string[];
}

const ACTIVE = { params: { query: { active: true } } };

/** What else can be added. */
export type Other = 'expense' | 'income' | 'recurring';

interface SpentProps {
  /** Closes this for the form of something else. */
  onOther: (kind: Other) => void;
  onDone: () => void;
}

export function Spent({ onOther, onDone }: SpentProps) {
  const { t, money } = useLocale();
  const texts = t.entries.spent;
  const showDone = useDone();
  const [count, setCount] = useState(0);
  const [last, setLast] = useLocalStorage<Last>({
    ...{ key: 'spent', defaultValue: { budgets: [] }, getInitialValueInEffect: false },
  });
  const isNarrow = useIsNarrow();
  const user = useMe().data;
  const methods = useQuery(queries.query('/payment-methods', ACTIVE)).data;
  const budgets = useQuery(queries.query('/budgets', ACTIVE)).data;
  if (!user || !methods || !budgets) return null;
  const rankOf = ({ id }: { id: string }) =>
    last.budgets.includes(id) ? last.budgets.indexOf(id) : last.budgets.length;
  const sorted = budgets.toSorted((a, b) => rankOf(a) - rankOf(b));
  const method =
    methods.find(({ id }) => id === last.method) ??
    methods.find(({ method_type: type }) => type === 'debit') ??
    methods[0];
  const methodOf = (id: string) => methods.find((each) => each.id === id);
  const nameOf = ({ budget_id }: Draft) =>
    budgets.find(({ id }) => id === budget_id)?.name ?? t.add.expense;
  /** What has a statement leaves with that, and what is to come has not left yet. */
  const canBePaid = ({ payment_method_id: id, due_date: date }: Draft) =>
    date <= user.today && (methodOf(id)?.closing_day ?? null) === null;

  const save = async (draft: Draft, isAnother: boolean): Promise<void> => {
    const { status, budget_id, amount, currency, payment_method_id, due_date } = draft;
    const description = draft.description ?? nameOf(draft);
    const isPaid = status === 'paid';
    const sent = await addEntry({
      ...{ description, amount, currency, payment_method_id, due_date, budget_id },
      category: 'variable',
      ...(isPaid && { paid: true, paid_at: noonOf(due_date, user) }),
    });
    if (!sent) throw new FieldError('due_date', t.entries.noCycle);
    const others = last.budgets.filter((id) => id !== budget_id);
    const latest = budget_id ? [budget_id, ...others] : others;
    setLast({ method: payment_method_id, currency, budgets: latest });
    const done = (isPaid ? t.done.paid : t.done.saved)(description);
    showDone(`${done}, ${money(amount, currency)}`, sent.operationId);
    if (isAnother) setCount(count + 1);
    else onDone();
  };

  return (
    <RecordForm<Draft>
      key={count}
      fields={{
        amount: {
          ...{ label: t.fields.amount, kind: 'money', currency: 'currency', look: 'large' },
          description: (draft) => <Dollars {...draft} date={draft.due_date} />,
        },
        currency: { value: last.currency ?? method?.default_currency ?? user.preferred_currency },
        budget_id: {
          ...{ label: texts.budget, kind: 'chips', optional: true, value: '' },
          options: {
            ...Object.fromEntries(sorted.map(({ id, name }) => [id, name])),
            '': t.fields.none,
          },
        },
        payment_method_id: {
          ...{ label: t.entries.with, of: '/payment-methods', value: method?.id, look: 'fact' },
        },
        due_date: { label: texts.on, kind: 'day', value: user.today, look: 'fact' },
        status: {
          ...{ label: t.entries.state, value: 'paid', look: 'fact', when: canBePaid },
          options: { paid: t.status.paid, pending: t.status.pending },
        },
        description: { label: texts.for, optional: true },
      }}
      send={save}
      {...(!isNarrow && { another: texts.another })}
      label={t.do.save}
    >
      {(draft) => {
        const { budget_id: budgetId, payment_method_id: methodId, due_date: date } = draft;
        const at = canBePaid(draft) && draft.status === 'paid' ? noonOf(date, user) : null;
        return (
          <>
            <p className="detail muted">
              <PaidWith {...draft} />
            </p>
            <Effect {...{ ...draft, budgetId, methodId, date, at }} />
            <CycleNeeded date={date} onLeave={onDone} />
            <Group gap="lg" mt="sm" hiddenFrom="sm">
              {(['expense', 'income', 'recurring'] as const).map((kind) => (
                <UnstyledButton key={kind} className="accent" py={8} onClick={() => onOther(kind)}>
                  {kind === 'expense' ? t.add.planned : t.add[kind]}
                </UnstyledButton>
              ))}
            </Group>
          </>
        );
      }}
    </RecordForm>
  );
}
