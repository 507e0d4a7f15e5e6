/** Shared by the mutations of expenses and incomes. */
import fc from 'fast-check';
import { cents, money, toUsd, usedRate } from './cents.js';
import { cycleFaults } from './cycles.js';
import { CYCLE_NOT_FOUND, notFound, when, type Refusal } from './expected-errors.js';
import type { Cycle, Entity, User, Model } from './model.js';
import { anyNumber, anyTarget } from './values.js';

interface Price {
  amount: string;
  currency: string;
  date: string;
}

export const inUsd = ({ amount, currency, date }: Price): string =>
  money(toUsd(cents(amount), currency, date));

/** The fields of a converted amount. */
export const converted = (
  price: Price,
): { amount_usd: string; exchange_rate: ReturnType<typeof usedRate> } => ({
  amount_usd: inUsd(price),
  exchange_rate: usedRate(price.currency, price.date),
});

export const conversionFaults = (price: Price): Refusal[] =>
  when(inUsd(price) === '0.00', { status: 422, code: 'CURRENCY_CONVERSION_ERROR' });

export interface Path {
  number: number;
  as: number | undefined;
  /** The cycle in the path, instead of the entry's own. */
  otherCycle: number | undefined;
}

export const anyPath: fc.Arbitrary<Path> = fc
  .tuple(
    anyTarget,
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyNumber },
    ),
  )
  .map(([target, otherCycle]) => ({ ...target, otherCycle }));

type Entry = Entity & { cycle: Cycle };

/** The entry of a path, the user who accesses it, and the errors of that access. */
export function accessEntry<Accessed extends Entry>(
  model: Model,
  entries: readonly Accessed[],
  { number, as, otherCycle }: Path,
): { entry: Accessed; cycle: Cycle; actor: User; path: string; faults: Refusal[] } | undefined {
  const entry = model.pick(entries, number);
  if (!entry) return undefined;
  const cycle =
    otherCycle === undefined ? entry.cycle : (model.pick(model.cycles, otherCycle) ?? entry.cycle);
  const actor = model.actor(entry.owner, as);
  const faults = cycleFaults(actor, cycle);
  const isFound = entry.cycle === cycle && entry.fields.active;
  if (!isFound && !faults.includes(CYCLE_NOT_FOUND)) faults.push(notFound(entry.type));
  const collection = entry.type === 'cycle_expense' ? 'expenses' : 'incomes';
  return { entry, cycle, actor, path: `/cycles/${cycle.id}/${collection}/${entry.id}`, faults };
}

export const isNotFound = ({ status }: Refusal): boolean => status === 404;
