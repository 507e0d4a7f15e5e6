/** What a household with two cards pays and receives each month. */
import { cents, type Cents } from '../model/cents.js';
import { dayAt, dayNumber } from './due-days.js';
import { plusDays } from './forecast-periods.js';
import type { Currency } from './stored-household.js';

type Account = 'nomina' | 'checking' | 'azul' | 'gold';

export interface Template {
  description: string;
  currency: Currency;
  amount: string;
  /** The last day of a shorter month; the Friday before a weekend. */
  day: number;
  account: Account;
  isIncome: boolean;
}

export interface Occurrence {
  description: string;
  currency: Currency;
  amount: Cents;
  date: string;
  account: Account;
  /** Of an account: null. */
  card: 'azul' | 'gold' | null;
  isIncome: boolean;
}

const template = (
  description: string,
  [currency, amount]: [Currency, string],
  day: number,
  account: Account,
  isIncome = false,
): Template => ({ description, currency, amount, day, account, isIncome });

export const TEMPLATES: readonly Template[] = [
  template('Quincena', ['MXN', '14000.00'], 15, 'nomina', true),
  template('Fin de mes', ['MXN', '14000.00'], 31, 'nomina', true),
  template('Client', ['USD', '900.10'], 5, 'checking', true),
  template('Renta', ['MXN', '9000.00'], 3, 'nomina'),
  template('Insurance', ['USD', '101.37'], 22, 'checking'),
  template('Gimnasio', ['MXN', '649.50'], 20, 'azul'),
  // In dollars, by the card in pesos.
  template('Hosting', ['USD', '12.99'], 27, 'azul'),
  template('Streaming', ['USD', '15.49'], 8, 'gold'),
  // In pesos, by the card in dollars.
  template('Agua', ['MXN', '333.33'], 10, 'gold'),
];

function isDue({ day }: Template, date: string): boolean {
  const own = Number(date.slice(8));
  return own === day || (own < day && plusDays(date, 1).endsWith('-01'));
}

/** Day by day, a few days more than the period for those that a weekend moves into it. */
export function occurrencesOf(one: Template, from: string, to: string): Occurrence[] {
  const { description, currency, account, isIncome } = one;
  const card = account === 'azul' || account === 'gold' ? account : null;
  const found: Occurrence[] = [];
  for (let day = from; day <= plusDays(to, 3); day = plusDays(day, 1)) {
    if (!isDue(one, day)) continue;
    let date = day;
    while ([0, 6].includes(dayAt(dayNumber(date)).weekday)) date = plusDays(date, -1);
    const amount = cents(one.amount);
    if (from <= date && date <= to) {
      found.push({ ...{ description, currency, amount, date, account, card, isIncome } });
    }
  }
  return found;
}
