/** What changes make of the occurrences of templates: some are left out, others cost more or less. */
import type { Big } from 'big.js';
import type { UsdConverter } from '../exchange-rates/exchange-rates.service.js';
import { toConvert, type DueOccurrence } from '../ledger/generation/entry-generator.js';
import { forEachWithPauses } from '../platform/process/pauses.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import { groupBy } from '../platform/values/group-by.js';
import { centsOf, moneyOf, type Cents } from '../platform/values/money.js';
import { compareText } from '../platform/values/text.js';
import { atPath } from './at-path.js';
import { roleOf } from './card-statements.js';
import type { ChangeDto } from './dto/change.dto.js';
import { occurrencesInForecast, type StoredPlan } from './plan.js';
import type { PlannedEntry } from './planned-entry.js';
import type { ForecastQuery } from './query.js';
import {
  budgetedOccurrences,
  type StoredBudgets,
  type StoredLeft,
  type StoredPesos,
} from './set-aside.js';

/** Occurrences that are left out; both dates included. */
interface SkippedDates {
  templateId: string;
  from: CalendarDate;
  to: CalendarDate;
}

interface AmountChange {
  templateId: string;
  from: CalendarDate;
  /** The amount in the currency of the template. */
  amount: Big;
  /** The path of the amount in the request. */
  path: string;
}

/** What changes make of occurrences, by their dates before the weekend rule. */
export interface TemplateChanges {
  /** The currencies of the templates that changes name, by their ids. */
  currencies: ReadonlyMap<string, CurrencyCode>;
  skipped: readonly SkippedDates[];
  /** The latest first: of a template the first one that has begun on a date applies. */
  amounts: readonly AmountChange[];
}

export const NO_TEMPLATE_CHANGES: TemplateChanges = {
  currencies: new Map(),
  skipped: [],
  amounts: [],
};

/** @param currencies of the templates that the changes name, by their ids */
export const templateChanges = (
  changes: readonly ChangeDto[],
  currencies: ReadonlyMap<string, CurrencyCode>,
): TemplateChanges => ({
  currencies,
  skipped: changes.flatMap((change) =>
    change.op === 'skip_template'
      ? [{ templateId: change.template_id, from: change.from, to: change.to }]
      : [],
  ),
  amounts: changes
    .flatMap((change, index) => {
      if (change.op !== 'change_template') return [];
      const { template_id: templateId, from, amount } = change;
      return [{ templateId, from, amount, path: `changes.${index}.amount` }];
    })
    .reverse()
    .sort((a, b) => compareText(b.from, a.from)),
});

type OccurrenceKey = Pick<PlannedEntry, 'templateId' | 'occurrenceDate'>;

const isSkipped = (
  { skipped }: TemplateChanges,
  { templateId, occurrenceDate: date }: OccurrenceKey,
): boolean =>
  date !== null &&
  skipped.some((one) => one.templateId === templateId && one.from <= date && date <= one.to);

const amountChangeOf = (
  { amounts }: TemplateChanges,
  { templateId, occurrenceDate: date }: OccurrenceKey,
): AmountChange | undefined =>
  date === null
    ? undefined
    : amounts.find((one) => one.templateId === templateId && one.from <= date);

const keyOf = ({ template, ruleDate }: DueOccurrence): OccurrenceKey => ({
  templateId: template.id,
  occurrenceDate: ruleDate,
});

type ToConvert = Pick<PlannedEntry, 'date' | 'currency' | 'paymentMethod' | 'budget'>;

/** What a converter must know of stored occurrences, also in the currencies of their templates. */
export const occurrencesToConvert = (
  occurrences: readonly PlannedEntry[],
  { currencies }: TemplateChanges,
): ToConvert[] =>
  occurrences.flatMap((one) => [
    one,
    { ...one, currency: currencies.get(one.templateId ?? '') ?? one.currency },
  ]);

/** The dates of such amounts in USD that count for budgets in pesos, for a converter. */
export function datesOfChangesInPesos(
  entries: readonly ToConvert[],
  left: readonly StoredLeft[],
): CalendarDate[] {
  const inPesos = left.filter(({ currency }) => currency === 'MXN');
  const ids = new Set(inPesos.map(({ budgetId }) => budgetId));
  return entries
    .filter(({ currency, budget }) => currency === 'USD' && ids.has(budget?.id ?? ''))
    .map(({ date }) => date);
}

/**
 * What is read of the database, as changes of templates would make it. Other requests run meanwhile.
 *
 * @throws ValidationFailedError for an amount that cannot be converted
 */
export async function withTemplateChanges(
  stored: StoredPlan,
  changes: TemplateChanges,
  query: ForecastQuery,
): Promise<StoredPlan> {
  if (changes.currencies.size === 0) return stored;
  const replacements = await replacementsOf(stored, changes);
  const differences = replacements.flatMap(differencesOf);
  return {
    ...stored,
    following: await changedFollowing(stored, changes, query),
    open: changedOpen(stored, replacements, query),
    purchases: differences
      .filter(({ entry }) => roleOf(entry, query, stored.cards) === 'purchase')
      .map(({ entry, sign }) => ({
        ...entry,
        amount: sign * entry.amount,
        amountUsd: sign * entry.amountUsd,
      })),
    budgets: changedBudgets(stored, differences, query),
  };
}

/** A stored occurrence that changes replace. */
interface Replacement {
  before: PlannedEntry;
  /** null: it is left out. */
  after: PlannedEntry | null;
}

/** @throws ValidationFailedError for an amount that cannot be converted */
async function replacementsOf(
  { occurrences, converter }: StoredPlan,
  changes: TemplateChanges,
): Promise<Replacement[]> {
  const replacements: Replacement[] = [];
  await forEachWithPauses(occurrences, (before) => {
    if (isSkipped(changes, before)) {
      replacements.push({ before, after: null });
      return;
    }
    const change = amountChangeOf(changes, before);
    if (!change) return;
    const { amount: money, path, templateId } = change;
    const amount = centsOf(money);
    const currency = changes.currencies.get(templateId) ?? before.currency;
    // An entry that has the amount already keeps its conversion.
    if (amount === before.amount && currency === before.currency) return;
    const { amountUsd } = atPath(path, () =>
      converter.toUsd({ amount: money, currency, date: before.date }),
    );
    const after = { ...before, currency, amount, amountUsd: centsOf(amountUsd) };
    replacements.push({ before, after });
  });
  return replacements;
}

/** What a replacement takes away, and what it puts there. */
interface Difference {
  entry: PlannedEntry;
  sign: 1n | -1n;
}

const differencesOf = ({ before, after }: Replacement): Difference[] => [
  { entry: before, sign: -1n },
  ...(after ? [{ entry: after, sign: 1n } as const] : []),
];

/** An entry stays in its place; those that come in by another currency are the last. */
function changedOpen(
  { open, cards }: StoredPlan,
  replacements: readonly Replacement[],
  query: ForecastQuery,
): PlannedEntry[] {
  const counting = (entry: PlannedEntry | null): PlannedEntry[] =>
    entry && roleOf(entry, query, cards) === 'entry' ? [entry] : [];
  const afterOf = new Map(replacements.map(({ before, after }) => [before.id, after]));
  const coming = replacements.filter(({ before }) => counting(before).length === 0);
  return [
    ...open.flatMap((entry) => {
      const after = afterOf.get(entry.id);
      return after === undefined ? [entry] : counting(after);
    }),
    ...coming.flatMap(({ after }) => counting(after)),
  ];
}

/** What is left of budgets, and the open pesos in it. */
function changedBudgets(
  { budgets: { left, pesos, limited }, cards, converter }: StoredPlan,
  differences: readonly Difference[],
  query: ForecastQuery,
): StoredBudgets {
  const byBudget = groupBy(
    differences,
    ({ entry: { cycle, budget } }) => `${cycle?.id ?? ''} ${budget?.id ?? ''}`,
  );
  const differencesIn = ({ cycleId, budgetId }: StoredLeft): Difference[] =>
    byBudget.get(`${cycleId} ${budgetId}`) ?? [];
  const isOpenPesos = ({ entry }: Difference): boolean =>
    entry.currency === 'MXN' &&
    entry.date <= query.freeUntil &&
    roleOf(entry, query, cards) !== 'purchase';
  const inUsd = left.filter(({ currency }) => currency === 'USD');
  const changedPesos = inUsd.flatMap((row): StoredPesos[] =>
    differencesIn(row)
      .filter(isOpenPesos)
      .map((one) => {
        const { cycleId, budgetId } = row;
        const { date, amount, amountUsd } = one.entry;
        return { cycleId, budgetId, date, amount, amountUsd, count: Number(spendingSign(one)) };
      }),
  );
  return {
    left: left.map((row) => {
      const spent = differencesIn(row).map(
        (one) => spendingSign(one) * amountIn(row.currency, one.entry, converter),
      );
      return { ...row, left: spent.reduce((rest, amount) => rest - amount, row.left) };
    }),
    pesos: [...pesos, ...changedPesos],
    limited,
  };
}

/** Whether a budget has spent more (1) or less (-1): incomes give back. */
const spendingSign = ({ entry, sign }: Difference): bigint =>
  entry.type === 'cycle_income' ? -sign : sign;

/** The amount as it counts in a budget, positive. */
function amountIn(currency: CurrencyCode, entry: PlannedEntry, converter: UsdConverter): Cents {
  if (currency === 'USD') return entry.amountUsd;
  return centsOf(converter.exchange({ ...entry, amount: moneyOf(entry.amount) }, currency));
}

/** @throws ValidationFailedError for an amount that cannot be converted */
async function changedFollowing(
  { following: before, budgets, cards, converter }: StoredPlan,
  changes: TemplateChanges,
  query: ForecastQuery,
): Promise<StoredPlan['following']> {
  const following = before.map(({ cycle, occurrences }) => ({
    cycle,
    occurrences: occurrences
      .filter((one) => !isSkipped(changes, keyOf(one)))
      .map((one) => {
        const change = amountChangeOf(changes, keyOf(one));
        return change ? { ...one, amount: change.amount } : one;
      }),
  }));
  const converted = [
    ...occurrencesInForecast(following, query, cards),
    ...budgetedOccurrences(following, budgets.limited),
  ];
  // Otherwise the error would name the template.
  await forEachWithPauses(converted, (one) => {
    const change = amountChangeOf(changes, keyOf(one));
    if (!change) return;
    atPath(change.path, () => converter.toUsd({ ...toConvert(one), amount: one.amount }));
  });
  return following;
}
