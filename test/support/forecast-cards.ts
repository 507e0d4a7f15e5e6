/** The statements of cards as entries of the reference implementation of the forecast. */
import { sumOf, type Cents } from '../model/cents.js';
import { cardsOf, isOfStatement, statementsOf, type Card, type Statement } from './cards-model.js';
import { converted } from './conversion-model.js';
import type { PlannedEntry } from './forecast-plan.js';
import type { Currency, Household } from './stored-household.js';

interface Filters {
  currency?: Currency;
  payment_method_id?: string;
}

/** What of a statement counts in a currency: its entries in it; all of what was stated. */
function amountIn(
  { card, stored, carried, amount, entries }: Statement,
  currency: Currency,
): Cents {
  const isOfCard = card.default_currency === currency;
  const isStored = [stored?.amount, stored?.stated_amount].some((one) => typeof one === 'string');
  if (isStored) return isOfCard ? amount : 0n;
  const own = entries.filter((entry) => entry.currency === currency);
  const total = sumOf(
    own.map((entry) => (entry.entity_type === 'cycle_income' ? -entry.amount : entry.amount)),
  );
  return isOfCard ? total + carried : total;
}

function entryOf(household: Household, statement: Statement, filter?: Currency): PlannedEntry {
  const { card, stored, due } = statement;
  const currency = filter ?? card.default_currency;
  const amount = filter ? amountIn(statement, filter) : statement.amount;
  const { rates, today: date } = household;
  return {
    ...{ origin: stored ? 'stored' : 'generated', entity_type: 'card_statement' },
    ...{ id: stored?.id ?? null, cycle: undefined, template_id: null, occurrence_date: null },
    ...{ date: due, description: card.name, category: null, budget_id: null },
    ...{ payment_method_id: card.id, currency, amount },
    ...{ amount_usd: converted(rates, { amount, from: currency, to: 'USD', date }) },
    ...{ rate_date: null, instalment: null },
  };
}

/** Whether the filter asks for a card, whose purchases then count on their own days. */
const isAboutCard = (household: Household, { payment_method_id }: Filters): boolean =>
  cardsOf(household).some(({ id }) => id === payment_method_id);

/**
 * What counts in place of the purchases by card, and the credits: statements that are not paid.
 *
 * @param added what would be entered, by cycles that would follow and by changes
 * @param until the last due date
 * @param mainId the payment method from which those are paid that name none
 */
export function unpaidStatements(
  household: Household,
  added: readonly PlannedEntry[],
  { filters, until, mainId }: { filters: Filters; until: string; mainId: string | null },
): PlannedEntry[] {
  const { currency, payment_method_id } = filters;
  const isCounted = ({ paid_from_id }: Card): boolean =>
    payment_method_id === undefined || payment_method_id === (paid_from_id ?? mainId);
  if (isAboutCard(household, filters)) return [];
  return cardsOf(household)
    .filter(isCounted)
    .flatMap((card) => statementsOf(household, card, until, added))
    .filter(({ status }) => status !== 'paid')
    .map((statement) => entryOf(household, statement, currency))
    .filter(({ date, amount }) => date <= until && amount > 0n);
}

/** Without what is in statements. */
export function withoutPurchases(
  household: Household,
  entries: readonly PlannedEntry[],
  filters: Filters,
): PlannedEntry[] {
  if (isAboutCard(household, filters)) return [...entries];
  return entries.filter((entry) => !isOfStatement(household, entry));
}
