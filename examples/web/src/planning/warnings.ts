import type { Schemas } from 'expense-service-client';
import type { Locale } from '../locale';

interface Named {
  name: string;
}
/** Each code has some of them. */
interface Details {
  cycles?: (Named & { start_date: string; end_date: string })[];
  days?: number;
  payment_methods?: Named[];
  entries?: { description: string }[];
  budgets?: { budget: Named; limit: string; total_amount: string }[];
  first?: { date: string };
  lowest?: { date: string; balance_usd: string };
}

/** A warning of a preview in plain words. */
export function warningText(warning: Schemas['WarningResponse'], locale: Locale): string {
  const { t, usd, day, days } = locale;
  const details: Details = warning.details;
  const { cycles = [], payment_methods = [], entries = [], budgets = [], first, lowest } = details;
  const names = [
    ...payment_methods.map(({ name }) => name),
    ...entries.map(({ description }) => description),
    ...budgets.map(({ budget, total_amount, limit }) =>
      t.planning.ofLimit(budget.name, usd(total_amount), usd(limit)),
    ),
  ];
  return t.planning.warnings[warning.code]({
    names: [...new Set(names)],
    ranges: cycles.map(days).join(', '),
    count: details.days ?? 0,
    first: first ? day(first.date) : '',
    lowest: lowest ? `${usd(lowest.balance_usd)}, ${day(lowest.date)}` : '',
  });
}
