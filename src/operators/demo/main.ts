/**
 * The demo: starts the service with an in-memory database, creates an example household over HTTP and prints
 * the generated cycle.
 */
import { randomBytes } from 'node:crypto';
import { createApplication } from '../../application.js';
import { API_PREFIX } from '../../platform/http/route-decorators.js';
import { formatTable } from '../cli/text-table.js';
import { IN_MEMORY_DATA_DIR, loadSettings } from '../../platform/config/settings.js';
import type { CycleResponse } from '../../cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../expenses/dto/expense.dto.js';
import type { IncomeListResponse } from '../../incomes/dto/income.dto.js';
import { ApiClient } from './api-client.js';
import { demoHousehold, templateBodies } from './demo-data.js';

async function main(): Promise<void> {
  const settings = loadSettings({ DATA_DIR: IN_MEMORY_DATA_DIR, LOG_LEVEL: 'warn' });
  console.log('Starting the service with an in-memory database ...');
  const app = await createApplication(settings);
  await app.listen(0, '127.0.0.1');
  try {
    const api = new ApiClient(`${await app.getUrl()}/${API_PREFIX}`);
    const cycle = await createHousehold(api);
    const expenses = await api.get<ExpenseListResponse>(`/cycles/${cycle.id}/expenses`);
    const incomes = await api.get<IncomeListResponse>(`/cycles/${cycle.id}/incomes`);
    console.log(describeCycle(cycle, expenses, incomes));
  } finally {
    await app.close();
  }
}

async function createHousehold(api: ApiClient): Promise<CycleResponse> {
  await api.signUp('ana@example.com', randomBytes(12).toString('hex'));
  const methodIds = new Map<string, string>();
  for (const method of demoHousehold.payment_methods) {
    const { id } = await api.post<{ id: string }>('/payment-methods', method);
    methodIds.set(method.name, id);
  }
  const { templates, income_templates } = demoHousehold;
  for (const body of templateBodies(templates, methodIds)) {
    await api.post('/expense-templates', body);
  }
  for (const body of templateBodies(income_templates, methodIds)) {
    await api.post('/income-templates', body);
  }
  return api.post('/cycles', demoHousehold.cycle);
}

function describeCycle(
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
    ],
    expenses.map((expense) => [
      expense.due_date,
      expense.description,
      `${expense.amount} ${expense.currency}`,
      expense.amount_usd,
      expense.payment_method.name,
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

await main();
