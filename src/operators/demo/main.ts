/**
 * The demo: creates the sample household in an in-memory database, and prints its current cycle as
 * the API responds with it.
 */
import { randomBytes } from 'node:crypto';
import { configureApplication, createApplication } from '../../application.js';
import type { CyclePageResponse, CycleResponse } from '../../cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../expenses/dto/expense-list.dto.js';
import type { IncomeListResponse } from '../../incomes/dto/income.dto.js';
import { IN_MEMORY_DATA_DIR, loadSettings } from '../../platform/config/settings.js';
import { API_PREFIX } from '../../platform/openapi/openapi.js';
import { formatTable } from '../cli/text-table.js';
import { createSampleHousehold } from './sample-household.js';

const NEXT_STEP =
  'Next: `npm run sandbox` serves this household, and prints the address of Swagger UI.';

async function main(): Promise<void> {
  const settings = loadSettings({ DATA_DIR: IN_MEMORY_DATA_DIR, LOG_LEVEL: 'warn' });
  console.log('Starting the service with an in-memory database ...');
  const app = await createApplication(settings);
  await configureApplication(app, settings);
  await app.listen(0, '127.0.0.1');
  try {
    const password = randomBytes(12).toString('hex');
    const token = await createSampleHousehold(app, { email: 'ana@example.com', password });
    const headers = { Authorization: `Bearer ${token}` };
    const url = `${await app.getUrl()}/${API_PREFIX}`;
    const get = async <Body>(path: string): Promise<Body> =>
      (await (await fetch(url + path, { headers })).json()) as Body;
    const { cycles } = await get<CyclePageResponse>('/cycles?status=active');
    for (const cycle of cycles) {
      const expenses = await get<ExpenseListResponse>(`/cycles/${cycle.id}/expenses`);
      const incomes = await get<IncomeListResponse>(`/cycles/${cycle.id}/incomes`);
      console.log(describeCycle(cycle, expenses, incomes));
    }
    console.log(NEXT_STEP);
  } finally {
    await app.close();
  }
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

await main();
