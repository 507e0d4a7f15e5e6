/** What is left of a budget, in words and as a bar. */
import { ColorSwatch, Group, Progress } from '@mantine/core';
import { isNegative, subtractAmounts, toCents, type Schemas } from 'expense-service-client';
import { toPesos } from '../accounts/account';
import type { Currency } from '../api';
import { useLocale } from '../locale';

export type Summary = Schemas['BudgetSummary'];

/** Of a budget with a limit, in its currency. */
export type Use = Omit<Summary, 'limit' | 'left'> & {
  limit: string;
  /** The limit minus what is paid and planned, with what came back; negative beyond the limit. */
  left: string;
};

export const isLimited = (summary: Summary): summary is Use =>
  summary.limit !== null && summary.left !== null;

interface Money {
  amount: string;
  currency: Currency;
  amount_usd: string;
}

/** What an entry counts for a budget of a currency. */
export function amountIn({ amount, ...entry }: Money, currency: Currency, rate: string): string {
  if (entry.currency === currency) return amount;
  return currency === 'USD' ? entry.amount_usd : toPesos(entry.amount_usd, rate);
}

/** `$10.84 left of $500.00`, or `$8.33 over, limit $75.00`. */
export function BudgetLeft({ limit, left, currency }: Use) {
  const { t, money } = useLocale();
  const texts = t.planning.budgets;
  const isOver = isNegative(left);
  return (
    <Group
      component="span"
      display="inline-flex"
      gap={4}
      justify="flex-end"
      maw={{ base: '62%', xs: '100%' }}
    >
      <b className={isOver ? 'danger' : undefined}>
        {isOver ? texts.over(money(left.slice(1), currency)) : money(left, currency)}
      </b>{' '}
      <span className="muted">{(isOver ? texts.limit : texts.leftOf)(money(limit, currency))}</span>
    </Group>
  );
}

/** Paid, planned and what exceeds the limit, which is hatched; pesos in dollars, what came back. */
export function BudgetBar({ limit, left, currency, ...use }: Use) {
  const { t, usd, money } = useLocale();
  const texts = t.planning.budgets;
  const { paid_amount: paid, refunded_amount: refunded, total_amount: total } = use;
  const within = (cents: bigint, most: bigint) => (cents < 0n ? 0n : cents > most ? most : cents);
  const all = toCents(limit);
  const unused = within(toCents(left), all);
  const over = isNegative(left) ? -toCents(left) : 0n;
  const paidWithin = within(toCents(subtractAmounts(paid, refunded)), all - unused);
  const planned = all - paidWithin - unused;
  const percent = (cents: bigint) => Number((cents * 10_000n) / (all + over || 1n)) / 100;
  const details = [
    currency === 'MXN' && texts.inDollars(money(total, currency), usd(use.total_amount_usd)),
    refunded !== '0.00' && texts.cameBack(money(refunded, currency)),
  ];
  return (
    <>
      <Progress.Root size={8} my={8} bg="var(--current)" aria-hidden="true">
        <Progress.Section value={percent(paidWithin)} color="var(--accent)" />
        <Progress.Section value={percent(planned)} color="var(--accent-mid)" />
        <Progress.Section value={percent(over)} style={{ background: 'var(--hatching)' }} />
      </Progress.Root>
      <p className="detail muted">{details.filter(Boolean).join(' · ')}</p>
    </>
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
