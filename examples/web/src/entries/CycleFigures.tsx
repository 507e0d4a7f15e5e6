import { addAmounts, addDays, planAgainstReality } from 'expense-service-client';
import { Figures } from '../components/Page';
import { useTotal } from '../components/Total';
import { useLocale } from '../locale';
import { balanceOn, lowestOf } from '../overview/plan';
import { isByCard, isSettled, spentBy, totalUsd } from './entry';
import type { CycleContent } from './useCycle';

type Figure = [title: string, amount: string, detail?: string];

/** What there will be at its start and end, and what it has; of a trip what it costs. */
export function CycleFigures({ cycle, forecast, expenses, incomes }: CycleContent) {
  const { t, day } = useLocale();
  const total = useTotal();
  const texts = t.entries;
  const { total_incomes, total_expenses, income_count, expense_count } = cycle.summary;
  const spent = expenses.map((each) => spentBy(forecast.today, each));
  const paid = spent.filter(isSettled);
  const received = incomes.filter(isSettled);
  const { start_date: start, end_date: end } = cycle;
  const beforeStart = addDays(start, -1);
  const balance = (date: string) =>
    cycle.status === 'completed' ? undefined : balanceOn(forecast, date);
  const before = balance(beforeStart);
  const after = balance(end);

  const text = (amount: string, sign?: 'always') => total(amount, sign).text;
  const figure = (title: string, amount: string, detail?: string): Figure => {
    const { other, currency } = total(amount);
    const shown = [currency === 'MXN' && other, detail].filter(Boolean).join(' · ');
    return [title, text(amount), shown];
  };
  const accounts = (date: string, amount: string, detail?: string) =>
    figure(texts.inAccounts(day(date, 'day')), amount, detail);

  function atStart(): Figure {
    if (before) return accounts(beforeStart, before);
    return figure(texts.remains, cycle.remaining_balance);
  }
  function incomesOfIt(): Figure {
    const inHand = text(addAmounts(cycle.income_amount, totalUsd(received)));
    const detail = texts.receivedPart(inHand, received.length, income_count);
    return figure(texts.incomes, addAmounts(cycle.income_amount, total_incomes), detail);
  }
  function expensesOfIt(): Figure {
    const partText = expenses.some(isByCard) ? texts.spentPart : texts.paidPart;
    const detail = partText(text(totalUsd(paid)), paid.length, expense_count);
    return figure(texts.expenses, total_expenses, detail);
  }
  function atEnd(): Figure {
    const lowest = lowestOf(forecast, start, end);
    if (after)
      return accounts(
        end,
        after,
        lowest && texts.lowest(text(lowest.balance), day(lowest.date, 'day')),
      );
    const { difference, planned, actual, unplanned } = planAgainstReality(spent);
    const detail = `${texts.planText(text(planned), text(actual))} ${texts.unplannedText(text(unplanned))}`;
    return [texts.plan, text(difference, 'always'), detail];
  }

  const figures = before
    ? [atStart(), incomesOfIt(), expensesOfIt(), atEnd()]
    : [incomesOfIt(), expensesOfIt(), atStart(), atEnd()];
  return (
    <section className="card group" aria-label={texts.figures}>
      <Figures figures={cycle.side ? [expensesOfIt()] : figures} />
    </section>
  );
}
