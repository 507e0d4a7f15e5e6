import { Progress } from '@mantine/core';
import { compareAmounts, isNegative, toCents } from 'expense-service-client';
import { useLocale } from '../locale';
import classes from './planning.module.css';

interface BudgetBarProps {
  /** In USD, as all amounts of a budget. */
  limit: string;
  paid: string;
  pending: string;
  /** The limit minus what is paid and pending; negative beyond the limit. */
  left: string;
}

/** Paid, planned and what exceeds the limit, which is hatched; `BudgetLeft` says it in words. */
export function BudgetBar({ limit, paid, pending, left }: BudgetBarProps) {
  const whole = isNegative(left) ? toCents(limit) - toCents(left) : toCents(limit);
  const percent = (cents: bigint) => Number((cents * 10_000n) / (whole || 1n)) / 100;
  const paidWithin = compareAmounts(paid, limit) > 0 ? limit : paid;
  const pendingWithin = isNegative(left) ? toCents(limit) - toCents(paidWithin) : toCents(pending);
  return (
    <Progress.Root size={8} radius={4} className={classes.bar} aria-hidden="true">
      <Progress.Section value={percent(toCents(paidWithin))} color="var(--accent)" />
      <Progress.Section value={percent(pendingWithin)} color="var(--accent-mid)" />
      {isNegative(left) && (
        <Progress.Section value={percent(-toCents(left))} className={classes.over} />
      )}
    </Progress.Root>
  );
}

/** `$10.84 left of $500.00`, or `$8.33 over, limit $75.00`. */
export function BudgetLeft({ limit, left }: Pick<BudgetBarProps, 'limit' | 'left'>) {
  const { t, usd } = useLocale();
  const texts = t.planning.budgets;
  return isNegative(left) ? (
    <span>
      <b className="danger">{texts.over(usd(left.slice(1)))}</b>{' '}
      <span className="muted">{texts.limit(usd(limit))}</span>
    </span>
  ) : (
    <span>
      <b>{usd(left)}</b> <span className="muted">{texts.leftOf(usd(limit))}</span>
    </span>
  );
}

/** What the colours of the bars mean. */
export function BudgetLegend() {
  const { t } = useLocale();
  return (
    <span className={`${classes.legend} detail muted`}>
      <i style={{ background: 'var(--accent)' }} />
      {t.planning.budgets.paid}
      <i style={{ background: 'var(--accent-mid)' }} />
      {t.planning.budgets.planned}
    </span>
  );
}
