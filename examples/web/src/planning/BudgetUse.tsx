/** What is left of a budget, in words and as a bar. */
import { ColorSwatch, Group, Progress } from '@mantine/core';
import { isNegative, toCents } from 'expense-service-client';
import { useLocale } from '../locale';

interface LimitProps {
  /** In USD, as all amounts of a budget. */
  limit: string;
  /** The limit minus what is paid and planned; negative beyond the limit. */
  left: string;
}

/** `$10.84 left of $500.00`, or `$8.33 over, limit $75.00`. */
export function BudgetLeft({ limit, left }: LimitProps) {
  const { t, usd } = useLocale();
  const texts = t.planning.budgets;
  const isOver = isNegative(left);
  return (
    <span>
      <b className={isOver ? 'danger' : undefined}>
        {isOver ? texts.over(usd(left.slice(1))) : usd(left)}
      </b>{' '}
      <span className="muted">{(isOver ? texts.limit : texts.leftOf)(usd(limit))}</span>
    </span>
  );
}

/** Paid, planned and what exceeds the limit, which is hatched. */
export function BudgetBar({ limit, left, paid }: LimitProps & { paid: string }) {
  const [all, unused] = [toCents(limit), toCents(left)];
  const over = unused < 0n ? -unused : 0n;
  const paidWithin = toCents(paid) > all ? all : toCents(paid);
  const planned = all - paidWithin - (unused > 0n ? unused : 0n);
  const percent = (cents: bigint) => Number((cents * 10_000n) / (all + over || 1n)) / 100;
  return (
    <Progress.Root size={8} my={8} bg="var(--current)" aria-hidden="true">
      <Progress.Section value={percent(paidWithin)} color="var(--accent)" />
      <Progress.Section value={percent(planned)} color="var(--accent-mid)" />
      <Progress.Section value={percent(over)} style={{ background: 'var(--hatching)' }} />
    </Progress.Root>
  );
}

/** What the colours of the bars mean. */
export function BudgetLegend() {
  const { t } = useLocale();
  const { paid, planned } = t.planning.budgets;
  return (
    <Group gap={6} className="detail muted">
      <ColorSwatch size={8} color="var(--accent)" />
      {paid}
      <ColorSwatch size={8} color="var(--accent-mid)" />
      {planned}
    </Group>
  );
}
