import { readProjectJson } from '../../platform/config/project-files.js';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Names a payment method and a budget by their `key`. */
export interface WithReferences {
  description: string;
  payment_method: string;
  budget?: string;
}

export interface TemplateData extends WithReferences {
  /** What was paid or received in the active cycle, in the order of the occurrences. */
  actual_amounts?: string[];
  /** The last expense before the day is overdue, unless that of another such template is. */
  may_be_overdue?: true;
  /** So many occurrences of each month, the first in the month so long before the day. */
  instalments?: { count: number; months_ago: number };
}

/** A card has its days, and the payment method from which it is paid. */
export interface PaymentMethodData {
  key: string;
  name: string;
  closing_day?: number;
  due_day?: number;
  paid_from?: string;
}

/** An expense or an income. */
export interface EntryData extends WithReferences {
  /** When it is due: days after the day of the household. */
  day: number;
}

export interface StatedData {
  payment_method: string;
  amount: string;
}

/** The sample household in one language, as the bodies of requests. */
export interface HouseholdData {
  user: object;
  /** The name, which contains `{start}` and `{end}`. */
  cycle_name: string;
  /** Days after the day of the household, and the value of a peso in USD. */
  rates: [number, string][];
  payment_methods: PaymentMethodData[];
  budgets: { key: string; name: string }[];
  income_templates: TemplateData[];
  templates: TemplateData[];
  /** Manual expenses, which are paid. */
  expenses: EntryData[];
  /** Manual incomes, which are received. */
  incomes: EntryData[];
  /** An overdue expense, which was created in the draft and carried over to the active cycle. */
  carried_over: EntryData;
  /** The first statement of the card is paid but for an amount in its currency. */
  first_statement: { payment_method: string; unpaid: string };
  /** How much there is in payment methods, named by their `key`. */
  balances: StatedData[];
  /** The payment method in USD whose balance leads to `lowest_balance`. */
  balance_of_rest: string;
  /** The lowest balance of the forecast that sets budgets aside, in USD. */
  lowest_balance: string;
  /** A comment on the active cycle. */
  comment: string;
}

export const readHouseholdData = (language: Language): HouseholdData =>
  inLanguage(readProjectJson('fixtures/sample-household.json'), language) as HouseholdData;

/** The value with the text of a language for each object that has the texts of all. */
function inLanguage(value: unknown, language: Language): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inLanguage(item, language));
  if (isText(value)) return value[language];
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inLanguage(inner, language)]),
  );
}

const isText = (value: object): value is Record<Language, string> =>
  LANGUAGES.every((language) => language in value);
