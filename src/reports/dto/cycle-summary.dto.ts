import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  CountProperty,
  DateProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import type { SpentOnBudget } from '../budgets.queries.js';
import type { CycleSummary, ExpenseGroup } from '../reports.queries.js';
import { ByBudgetProperty, toBudgetSummaries, type BudgetSummary } from './budget-summary.dto.js';

@ApiSchema({ description: 'The cycle of a report' })
class SummarizedCycle {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @DateProperty({ example: '2026-01-19', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-03-01', description: 'Inclusive' })
  end_date!: CalendarDate;

  @MoneyProperty({ example: '5200.00', description: 'USD' })
  income_amount!: string;
}

@ApiSchema({ description: 'Totals of a cycle in USD, without cancelled expenses' })
class Financial {
  @MoneyProperty({ example: '6138.89', description: 'All expenses' })
  total_expenses_usd!: string;

  @MoneyProperty({ example: '4097.43', description: 'Expenses of the category `fixed`' })
  fixed_expenses_usd!: string;

  @MoneyProperty({ example: '2041.46', description: 'Expenses of the category `variable`' })
  variable_expenses_usd!: string;

  @MoneyProperty({ example: '4868.32', description: 'Expenses in USD' })
  usa_expenses_usd!: string;

  @MoneyProperty({ example: '1270.57', description: 'Expenses in MXN, converted to USD' })
  mexico_expenses_usd!: string;

  @MoneyProperty({ example: '0.00', description: 'Including incomes not yet received' })
  total_incomes_usd!: string;

  @MoneyProperty({
    example: '-938.89',
    description: 'income_amount plus all incomes minus all expenses',
  })
  net_balance!: string;
}

@ApiSchema({ description: 'Totals of the incomes of a cycle' })
class IncomesSummary {
  @CountProperty({ example: 5, description: 'Number of incomes, received or not' })
  total_count!: number;

  @CountProperty({ example: 2, description: 'Number of received incomes' })
  received_count!: number;

  @MoneyProperty({ example: '7100.00', description: 'USD' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '2900.00', description: 'USD' })
  received_amount!: string;

  @MoneyProperty({ example: '4200.00', description: 'USD, not yet received' })
  expected_amount!: string;
}

@ApiSchema({ description: 'The payment method of a total' })
class PaymentMethodName {
  @UuidProperty(EXAMPLE_ID.paymentMethod, { description: 'The id of the payment method' })
  id!: string;

  @TextProperty({ example: 'BBVA Débito', description: 'The name of the payment method' })
  name!: string;
}

@ApiSchema({ description: 'Totals of the expenses with a payment method, without cancelled ones' })
class PaymentMethodSummary {
  @ApiProperty({ description: 'The payment method of the expenses' })
  payment_method!: PaymentMethodName;

  @MoneyProperty({ example: '1017.48', description: 'USD' })
  total_amount!: string;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @MoneyProperty({ example: '1017.48', description: 'USD, not paid' })
  pending_amount!: string;

  @CountProperty({ example: 3, description: 'Number of expenses, without cancelled ones' })
  expense_count!: number;
}

@ApiSchema({ description: 'Totals of the expenses in a currency, without cancelled ones' })
class CurrencySummary {
  @MoneyProperty({ example: '20349.50', description: 'In that currency' })
  total_amount!: string;

  @MoneyProperty({ required: false, example: '1017.48', description: 'Absent for USD' })
  total_amount_usd?: string;

  @CountProperty({ example: 3, description: 'Number of expenses, without cancelled ones' })
  expense_count!: number;
}

@ApiSchema({ description: 'Totals of the expenses by currency' })
class SummaryByCurrency implements Partial<Record<CurrencyCode, CurrencySummary>> {
  @ApiPropertyOptional({ description: 'Expenses in US dollars' })
  USD?: CurrencySummary;

  @ApiPropertyOptional({ description: 'Expenses in Mexican pesos' })
  MXN?: CurrencySummary;
}

@ApiSchema({ description: 'The number of expenses by displayed status' })
class StatusBreakdown {
  @CountProperty({ example: 35, description: 'Not yet paid, and not overdue' })
  pending!: number;

  @CountProperty({ example: 0, description: 'Paid' })
  paid!: number;

  @CountProperty({ example: 0, description: 'Not paid after the due date' })
  overdue!: number;

  @CountProperty({ example: 0, description: 'Not included in totals' })
  cancelled!: number;
}

@ApiSchema({ description: 'The summary of a cycle' })
export class CycleSummaryResponse {
  @ApiProperty({ description: 'The cycle of the report' })
  cycle!: SummarizedCycle;

  @ApiProperty({ description: 'USD' })
  financial!: Financial;

  @ApiProperty({
    description: 'The incomes of the cycle; the other breakdowns are of expenses only',
  })
  incomes!: IncomesSummary;

  @ApiProperty({
    type: [PaymentMethodSummary],
    description: 'Payment methods without expenses, or with cancelled ones only, are absent',
  })
  by_payment_method!: PaymentMethodSummary[];

  @ByBudgetProperty()
  by_budget!: BudgetSummary[];

  @ApiProperty({
    description: 'Currencies without expenses, or with cancelled ones only, are absent',
    example: {
      USD: { total_amount: '4868.32', expense_count: 25 },
      MXN: { total_amount: '25410.90', total_amount_usd: '1270.57', expense_count: 10 },
    },
  })
  by_currency!: SummaryByCurrency;

  @ApiProperty({ description: 'The number of expenses by displayed status' })
  status_breakdown!: StatusBreakdown;
}

export function toCycleSummaryResponse({ total, groups }: CycleSummary): CycleSummaryResponse {
  return {
    cycle: {
      id: total.cycle_id,
      name: total.cycle_name,
      start_date: total.start_date,
      end_date: total.end_date,
      income_amount: total.income_amount,
    },
    financial: {
      total_expenses_usd: total.total,
      fixed_expenses_usd: total.fixed,
      variable_expenses_usd: total.variable,
      usa_expenses_usd: totalIn('USD', groups),
      mexico_expenses_usd: totalIn('MXN', groups),
      total_incomes_usd: total.total_incomes,
      net_balance: total.net_balance,
    },
    incomes: {
      total_count: total.income_count,
      received_count: total.received_count,
      total_amount_usd: total.total_incomes,
      received_amount: total.received_incomes,
      expected_amount: total.expected_incomes,
    },
    by_payment_method: byPaymentMethod(groups),
    by_budget: toBudgetSummaries(total.budgetsOfCycle, spentOnBudgets(groups)),
    by_currency: byCurrency(groups),
    status_breakdown: byStatus(groups),
  };
}

function byPaymentMethod(groups: readonly ExpenseGroup[]): PaymentMethodSummary[] {
  return groups
    .filter((group) => group.dimension === 'payment_method')
    .filter(({ expense_count }) => expense_count > 0)
    .toSorted((a, b) => a.payment_method.seq - b.payment_method.seq)
    .map(({ payment_method: { id, name }, ...group }) => ({
      payment_method: { id, name },
      total_amount: group.total,
      paid_amount: group.paid,
      pending_amount: group.pending,
      expense_count: group.expense_count,
    }));
}

const spentOnBudgets = (groups: readonly ExpenseGroup[]): SpentOnBudget[] =>
  groups
    .filter((group) => group.dimension === 'budget')
    .filter(({ expense_count }) => expense_count > 0)
    .map(({ budget_id, in_budget: total, paid_in_budget: paid, total: total_usd, ...group }) => ({
      ...{ budget_id, total, paid, total_usd },
      expense_count: group.expense_count,
      lacks_rate: group.lacks_rate,
    }));

/** The total of the expenses in a currency, in USD. */
function totalIn(currency: CurrencyCode, groups: readonly ExpenseGroup[]): string {
  const group = groups.find((one) => one.dimension === 'currency' && one.currency === currency);
  return group?.total ?? '0.00';
}

function byCurrency(groups: readonly ExpenseGroup[]): SummaryByCurrency {
  const entries = groups
    .filter((group) => group.dimension === 'currency')
    .filter(({ expense_count }) => expense_count > 0)
    .toSorted((a, b) => CURRENCY_CODES.indexOf(a.currency) - CURRENCY_CODES.indexOf(b.currency))
    .map(({ currency, native, total, expense_count }): [CurrencyCode, CurrencySummary] => [
      currency,
      {
        total_amount: native,
        ...(currency !== 'USD' && { total_amount_usd: total }),
        expense_count,
      },
    ]);
  return Object.fromEntries(entries);
}

function byStatus(groups: readonly ExpenseGroup[]): StatusBreakdown {
  const counts: StatusBreakdown = { pending: 0, paid: 0, overdue: 0, cancelled: 0 };
  for (const group of groups) {
    if (group.dimension === 'status') counts[group.status] = group.row_count;
  }
  return counts;
}
