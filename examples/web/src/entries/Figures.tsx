import type { ReactNode } from 'react';
import { Progress } from '@mantine/core';
import { addAmounts, toCents } from 'expense-service-client';
import { queries, useQuery, type Cycle, type Expense, type Income } from '../api';
import { useLocale } from '../locale';
import classes from './entries.module.css';
import { planAgainstReality, totalUsd } from './totals';

interface FiguresProps {
  cycle: Cycle;
  expenses: readonly Expense[];
  incomes: readonly Income[];
}

/** Incomes − expenses = what remains, and what was paid against the plan. */
export function Figures({ cycle, expenses, incomes }: FiguresProps) {
  const { t, usd, day } = useLocale();
  const texts = t.entries;
  const path = { id: cycle.id };
  const { lowest } =
    useQuery(queries.query('/cycles/{id}/cash-flow', { params: { path } })).data ?? {};
  const { total_incomes, total_expenses, income_count, expense_count } = cycle.summary;
  const paid = expenses.filter((expense) => expense.paid);
  const received = incomes.filter((income) => income.received);
  const paidUsd = totalUsd(paid);
  const receivedUsd = addAmounts(cycle.income_amount, totalUsd(received));
  const allIncomes = addAmounts(cycle.income_amount, total_incomes);
  const plan = planAgainstReality(expenses);
  return (
    <section className={`card ${classes.figures}`} aria-label={texts.figures}>
      <Figure title={texts.incomes} amount={usd(allIncomes)} part={receivedUsd} of={allIncomes}>
        {texts.receivedPart(usd(receivedUsd), received.length, income_count)}
      </Figure>
      <Figure
        title={texts.expenses}
        amount={usd(total_expenses)}
        part={paidUsd}
        of={total_expenses}
      >
        {texts.paidPart(usd(paidUsd), paid.length, expense_count)}
      </Figure>
      <Figure
        title={texts.remainsOn(day(cycle.end_date, 'day'))}
        amount={usd(cycle.remaining_balance)}
      >
        {lowest && texts.lowest(usd(lowest.balance_usd), day(lowest.date, 'day'))}
      </Figure>
      <Figure title={texts.plan} amount={usd(plan.difference, 'always')}>
        {texts.planText(usd(plan.planned), usd(plan.actual))}{' '}
        {plan.unplannedCount > 0 && texts.unplannedText(usd(plan.unplanned))}
      </Figure>
    </section>
  );
}

interface FigureProps {
  title: string;
  amount: string;
  /** In dollars, how much of which amount is done. */
  part?: string;
  of?: string;
  children: ReactNode;
}

function Figure({ title, amount, part, of = '0.00', children }: FigureProps) {
  const value = part && Number((toCents(part) * 100n) / (toCents(of) || 1n));
  return (
    <div>
      <h2>{title}</h2>
      <p className={classes.amount}>{amount}</p>
      {typeof value === 'number' && <Progress value={value} size={6} my={8} aria-hidden="true" />}
      <p className="muted">{children}</p>
    </div>
  );
}
