import { readFileSync } from 'node:fs';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Client } from './client.js';

interface HouseholdTemplate {
  description: string;
  payment_method: string;
  autopay_info: string | null;
  [field: string]: unknown;
}

interface HouseholdIncomeTemplate {
  description: string;
  payment_method: string;
  base_amount: string;
  currency: string;
  [field: string]: unknown;
}

interface ExpectedExpense {
  description: string;
  due_date: string;
  currency: string;
  amount: string;
  amount_usd: string;
  category: string;
  payment_method: string;
}

/**
 * The data of a bilingual household and its expected cycle, computed independently of this code.
 */
export interface Household {
  payment_methods: { name: string; [field: string]: unknown }[];
  templates: HouseholdTemplate[];
  income_templates: HouseholdIncomeTemplate[];
  cycle: Record<string, unknown>;
  expected: {
    expense_count: number;
    total_expenses: string;
    fixed_expenses: string;
    variable_expenses: string;
    usa_expenses: string;
    mexico_expenses: string;
    remaining_balance: string;
    expenses: ExpectedExpense[];
  };
}

export const household = JSON.parse(
  readFileSync(new URL('../../fixtures/household.json', import.meta.url), 'utf8'),
) as Household;

/** Creates the household's data over HTTP and returns the generated cycle. */
export async function createHousehold(user: Client): Promise<CycleResponse> {
  const methodIds = new Map<string, string>();
  for (const method of household.payment_methods) {
    methodIds.set(method.name, (await user.createPaymentMethod(method)).id);
  }
  for (const { payment_method: name, ...template } of household.templates) {
    await user.createTemplate({ ...template, payment_method_id: methodIds.get(name) });
  }
  for (const { payment_method: name, ...template } of household.income_templates) {
    await user.createIncomeTemplate({ ...template, payment_method_id: methodIds.get(name) });
  }
  return user.createCycle(household.cycle);
}

export interface ExpectedIncome {
  description: string;
  income_date: string;
  amount_usd: string;
}

/**
 * The incomes of the household's cycle, computed day by day without the service's code: a paycheck
 * every second Friday, counted from a payday, and a payment on the 15th and on the last day of the
 * month, or on the Friday before if that is a weekend.
 */
export function expectedIncomes(): ExpectedIncome[] {
  const { start_date, end_date } = household.cycle as { start_date: string; end_date: string };
  const [paycheck, middle, end] = household.income_templates;
  const result: ExpectedIncome[] = [];
  for (let day = new Date(start_date); day <= new Date(end_date); day = plusDays(day, 1)) {
    const date = day.toISOString().slice(0, 10);
    const isFriday = day.getUTCDay() === 5;
    const isWeekday = day.getUTCDay() % 6 !== 0;
    // The days whose payments are made on this day: a Friday includes the weekend after it.
    const paidDays = isFriday ? [0, 1, 2].map((n) => plusDays(day, n)) : isWeekday ? [day] : [];
    const fridays = (day.getTime() - Date.parse('2025-01-03')) / (7 * 86_400_000);
    if (isFriday && fridays % 2 === 0) result.push(incomeOn(date, paycheck));
    if (paidDays.some((one) => one.getUTCDate() === 15)) result.push(incomeOn(date, middle));
    if (paidDays.some((one) => plusDays(one, 1).getUTCDate() === 1))
      result.push(incomeOn(date, end));
  }
  return result;
}

const plusDays = (day: Date, days: number): Date => new Date(day.getTime() + days * 86_400_000);

/** At the initial exchange rate, 20 pesos are a dollar. */
function incomeOn(date: string, template?: HouseholdIncomeTemplate): ExpectedIncome {
  const cents = BigInt((template?.base_amount ?? '').replace('.', ''));
  const usd = template?.currency === 'MXN' ? (cents + 10n) / 20n : cents;
  return { description: template?.description ?? '', income_date: date, amount_usd: toMoney(usd) };
}

const toCents = (amount: string): bigint => BigInt(amount.replace('.', ''));

const toMoney = (cents: bigint): string => {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** The totals of the cycle with its incomes, and with the expected expenses of the fixture. */
export function expectedTotals(): { total_incomes: string; remaining_balance: string } {
  const incomes = expectedIncomes().reduce((sum, one) => sum + toCents(one.amount_usd), 0n);
  const { income_amount } = household.cycle as { income_amount: string };
  const balance = toCents(income_amount) + incomes - toCents(household.expected.total_expenses);
  return { total_incomes: toMoney(incomes), remaining_balance: toMoney(balance) };
}
