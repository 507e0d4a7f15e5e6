import type { CurrentBalancesResponse } from '../../balances/dto/current-balances.dto.js';
import type { CardStatementResponse } from '../../cards/dto/card-statement.dto.js';
import type { CycleResponse } from '../../cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../expenses/dto/expense-list.dto.js';
import type { ForecastResponse } from '../../forecast/dto/forecast.dto.js';
import type { IncomeListResponse } from '../../incomes/dto/income.dto.js';
import type { PaymentMethodResponse } from '../../payment-methods/dto/payment-method.dto.js';
import type { CycleSummaryResponse } from '../../reports/dto/cycle-summary.dto.js';
import { formatTable } from '../cli/text-table.js';

/** The cycle with its incomes, expenses and totals, as text tables. */
export function describeCycle(
  cycle: CycleResponse,
  { expenses }: ExpenseListResponse,
  { incomes }: IncomeListResponse,
): string {
  const title = `${cycle.name} (${cycle.start_date} to ${cycle.end_date})`;
  const tables = [incomeTable(incomes), expenseTable(expenses), totalsTable(cycle)];
  return `\n${[title, ...tables].join('\n\n')}\n`;
}

const incomeTable = (incomes: IncomeListResponse['incomes']): string =>
  formatTable(
    [
      { title: 'Income date', align: 'left' },
      { title: 'Description', align: 'left' },
      { title: 'Amount', align: 'right' },
      { title: 'USD', align: 'right' },
    ],
    incomes.map((income) => [
      income.income_date,
      income.description,
      `${income.amount} ${income.currency}`,
      income.amount_usd,
    ]),
  );

const expenseTable = (expenses: ExpenseListResponse['expenses']): string =>
  formatTable(
    [
      { title: 'Due date', align: 'left' },
      { title: 'Description', align: 'left' },
      { title: 'Amount', align: 'right' },
      { title: 'USD', align: 'right' },
      { title: 'Paid by', align: 'left' },
      { title: 'Status', align: 'left' },
    ],
    expenses.map((expense) => [
      expense.due_date,
      expense.description,
      `${expense.amount} ${expense.currency}`,
      expense.amount_usd,
      expense.payment_method.name,
      expense.status,
    ]),
  );

const totalsTable = ({ summary, income_amount, remaining_balance }: CycleResponse): string =>
  formatTable(
    [
      { title: `${summary.expense_count} expenses`, align: 'left' },
      { title: 'USD', align: 'right' },
    ],
    [
      ['Fixed', summary.fixed_expenses],
      ['Variable', summary.variable_expenses],
      ['Total', summary.total_expenses],
      ['Income amount', income_amount],
      [`${summary.income_count} incomes`, summary.total_incomes],
      ['Remaining', remaining_balance],
    ],
  );

/** What is left of the budgets of a cycle in their currencies, as a text table. */
export function describeBudgets({ cycle, by_budget }: CycleSummaryResponse): string {
  const table = formatTable(
    [
      { title: 'Budget', align: 'left' },
      { title: 'Limit', align: 'right' },
      { title: 'Spent', align: 'right' },
      { title: 'Refunded', align: 'right' },
      { title: 'Left', align: 'right' },
    ],
    by_budget.map(({ budget, currency, limit, total_amount, refunded_amount, left }) => [
      budget?.name ?? 'None',
      limit ?? '',
      `${total_amount} ${currency}`,
      refunded_amount,
      left ?? '',
    ]),
  );
  return `Budgets of ${cycle.name}\n\n${table}\n`;
}

/** What there is now in each payment method, as a text table. */
export function describeBalances({
  today,
  payment_methods,
  total_usd,
}: CurrentBalancesResponse): string {
  const table = formatTable(
    [
      { title: 'Payment method', align: 'left' },
      { title: 'Amount', align: 'right' },
    ],
    [
      ...payment_methods.map(({ payment_method, amount, currency }) => [
        payment_method.name,
        `${amount} ${currency}`,
      ]),
      ['Total', `${total_usd} USD`],
    ],
  );
  return `What there is on ${today}\n\n${table}\n`;
}

/** What the statements of a card take, as a text table. */
export function describeStatements(
  { name }: PaymentMethodResponse,
  statements: readonly CardStatementResponse[],
): string {
  const table = formatTable(
    [
      { title: 'Closes', align: 'left' },
      { title: 'Due', align: 'left' },
      { title: 'Status', align: 'left' },
      { title: 'Carried', align: 'right' },
      { title: 'Amount', align: 'right' },
      { title: 'USD', align: 'right' },
    ],
    statements.map((statement) => [
      statement.closing_date,
      statement.due_date,
      statement.status,
      statement.carried_amount,
      `${statement.amount} ${statement.currency}`,
      statement.amount_usd,
    ]),
  );
  return `What ${name} takes\n\n${table}\n`;
}

/** What is left until each pay day in USD, as a text table. */
export function describePayWindows({ today, to, pay_windows }: ForecastResponse): string {
  const table = formatTable(
    [
      { title: 'From', align: 'left' },
      { title: 'To', align: 'left' },
      { title: 'Comes in', align: 'right' },
      { title: 'To pay', align: 'right' },
      { title: 'Left', align: 'right' },
      { title: 'Free', align: 'right' },
    ],
    pay_windows.map((window) => [
      window.from,
      window.to,
      window.incomes,
      window.expenses,
      window.closing_balance,
      window.free,
    ]),
  );
  return `Left until each pay day, in USD (${today} to ${to})\n\n${table}\n`;
}
