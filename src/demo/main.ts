/**
 * The main job without a client: starts the service on a throwaway database, plays a household into it
 * over HTTP and prints the cycle that comes of it.
 */
import { randomBytes } from 'node:crypto';
import { API_PREFIX, createApplication } from '../application.js';
import { formatTable } from '../common/text-table.js';
import { IN_MEMORY, loadSettings } from '../config/settings.js';
import type { CycleResponse } from '../cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../expenses/dto/expense.dto.js';
import { ApiClient } from './api-client.js';
import { household } from './household.js';

async function main(): Promise<void> {
  const settings = loadSettings({ DATA_DIR: IN_MEMORY, LOG_LEVEL: 'warn' });
  console.log('Starting the service on a throwaway database ...');
  const app = await createApplication(settings);
  await app.listen(0, '127.0.0.1');
  try {
    const api = new ApiClient(`${await app.getUrl()}/${API_PREFIX}`);
    const cycle = await playHousehold(api);
    const list = await api.get<ExpenseListResponse>(`/cycles/${cycle.id}/expenses`);
    console.log(describeCycle(cycle, list));
  } finally {
    await app.close();
  }
}

async function playHousehold(api: ApiClient): Promise<CycleResponse> {
  await api.signUp('ana@example.com', randomBytes(12).toString('hex'));
  const methodIds = new Map<string, string>();
  for (const method of household.payment_methods) {
    const { id } = await api.post<{ id: string }>('/payment-methods', method);
    methodIds.set(method.name, id);
  }
  for (const { payment_method: name, ...template } of household.templates) {
    const body = { ...template, payment_method_id: methodIds.get(name) };
    await api.post('/expense-templates', body);
  }
  return api.post('/cycles', household.cycle);
}

function describeCycle(cycle: CycleResponse, { expenses }: ExpenseListResponse): string {
  const table = formatTable(
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
  const { summary } = cycle;
  const totals = formatTable(
    [
      { title: `${summary.expense_count} expenses`, align: 'left' },
      { title: 'USD', align: 'right' },
    ],
    [
      ['Fixed', summary.fixed_expenses],
      ['Variable', summary.variable_expenses],
      ['Total', summary.total_expenses],
      ['Income', cycle.income_amount],
      ['Remains', cycle.remaining_balance],
    ],
  );
  return `\n${cycle.name} (${cycle.start_date} to ${cycle.end_date})\n\n${table}\n\n${totals}\n`;
}

await main();
