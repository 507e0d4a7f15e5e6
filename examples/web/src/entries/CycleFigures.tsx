import type { ReactNode } from 'react';
import { addAmounts, addDays, planAgainstReality } from 'expense-service-client';
import { Figures } from '../components/Page';
import { useLocale } from '../locale';
import { balanceOn, lowestOf } from '../overview/plan';
import { isByCard, isSettled, spentBy, totalUsd } from './entry';
import type { CycleContent } from './useCycle';

/** What there will be at its start and end, and what it has; of a trip what it costs. */
export function CycleFigures({ cycle, forecast, expenses, incomes }: CycleContent) {
  const { t, usd, day } = useLocale();
  const texts = t.entries;
  const { total_incomes, total_expenses, income_count, expense_count } = cycle.summary;
  const spent = expenses.map((each) => spentBy(forecast.today, each));
  const paid = spent.filter(isSettled);
  const received = incomes.filter(isSettled);
  const inHand = usd(addAmounts(cycle.income_amount, totalUsd(received)));
  const { difference, planned, actual, unplanned } = planAgainstReality(spent);
  const { start_date: start, end_date: end } = cycle;
  const isOpened = cycle.status !== 'completed';
  const balance = (date: string) => (isOpened ? balanceOn(forecast, date) : undefined);
  const before = balance(addDays(start, -1));
  const after = balance(end);
  const lowest = lowestOf(forecast, start, end);
  const accounts = (date: string) => texts.inAccounts(day(date, 'day'));
  const all: [string, string, ReactNode?] = [
    texts.expenses,
    usd(total_expenses),
    (expenses.some(isByCard) ? texts.spentPart : texts.paidPart)(
      usd(totalUsd(paid)),
      paid.length,
      expense_count,
    ),
  ];
  const figures: (typeof all)[] = [
    ...(before ? [[accounts(addDays(start, -1)), usd(before)] satisfies typeof all] : []),
    [
      texts.incomes,
      usd(addAmounts(cycle.income_amount, total_incomes)),
      texts.receivedPart(inHand, received.length, income_count),
    ],
    all,
    ...(before
      ? []
      : [[texts.remains, usd(cycle.remaining_balance), texts.remainsText] satisfies typeof all]),
    after
      ? [
          accounts(end),
          usd(after),
          lowest && texts.lowest(usd(lowest.balance), day(lowest.date, 'day')),
        ]
      : [
          texts.plan,
          usd(difference, 'always'),
          `${texts.planText(usd(planned), usd(actual))} ${texts.unplannedText(usd(unplanned))}`,
        ],
  ];
  return (
    <section className="card group" aria-label={texts.figures}>
      <Figures figures={cycle.side ? [all] : figures} />
    </section>
  );
}
