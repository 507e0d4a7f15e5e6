/**
 * The demo: creates the household of the sandbox in an in-memory database, and prints its active cycle
 * with its budgets, what there is now, what the card takes, and what is left until each pay day, as the
 * API responds with them.
 */
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import { configureApplication, createApplication } from '../../application.js';
import { AuthService } from '../../auth/auth.service.js';
import type { CurrentBalancesResponse } from '../../balances/dto/current-balances.dto.js';
import type { CardStatementResponse } from '../../cards/dto/card-statement.dto.js';
import type { CyclePageResponse } from '../../cycles/dto/cycle.dto.js';
import type { ExpenseListResponse } from '../../expenses/dto/expense-list.dto.js';
import type { ForecastResponse } from '../../forecast/dto/forecast.dto.js';
import type { IncomeListResponse } from '../../incomes/dto/income.dto.js';
import type { PaymentMethodResponse } from '../../payment-methods/dto/payment-method.dto.js';
import { IN_MEMORY_DATA_DIR, loadSettings } from '../../platform/config/settings.js';
import { API_PREFIX } from '../../platform/openapi/openapi.js';
import type { CycleSummaryResponse } from '../../reports/dto/cycle-summary.dto.js';
import { readHouseholdData } from '../sample-household/household-data.js';
import { SampleHousehold } from '../sample-household/sample-household.js';
import { SampleHouseholdModule } from '../sample-household/sample-household.module.js';
import {
  describeBalances,
  describeBudgets,
  describeCycle,
  describePayWindows,
  describeStatements,
} from './descriptions.js';

const NEXT_STEP =
  'Next: `npm run sandbox` serves this household, and prints the address of Swagger UI.';

/** @returns an access token of its user */
async function createHousehold(app: NestExpressApplication): Promise<string> {
  const account = { email: 'ana@example.com', password: randomBytes(12).toString('hex') };
  const household = app.get(SampleHousehold, { strict: false });
  await household.create(account, readHouseholdData('en'));
  const { access_token } = await app
    .get(AuthService, { strict: false })
    .login({ username: account.email, password: account.password });
  return access_token;
}

async function main(): Promise<void> {
  const settings = loadSettings({ DATA_DIR: IN_MEMORY_DATA_DIR, LOG_LEVEL: 'warn' });
  console.log('Starting the service with an in-memory database ...');
  const app = await createApplication(settings, { module: SampleHouseholdModule });
  await configureApplication(app, settings);
  await app.listen(0, '127.0.0.1');
  try {
    const headers = { Authorization: `Bearer ${await createHousehold(app)}` };
    const url = `${await app.getUrl()}/${API_PREFIX}`;
    const get = async <Body>(path: string): Promise<Body> =>
      (await (await fetch(url + path, { headers })).json()) as Body;
    const { cycles } = await get<CyclePageResponse>('/cycles?status=active');
    for (const cycle of cycles) {
      const expenses = await get<ExpenseListResponse>(`/cycles/${cycle.id}/expenses`);
      const incomes = await get<IncomeListResponse>(`/cycles/${cycle.id}/incomes`);
      console.log(describeCycle(cycle, expenses, incomes));
      console.log(describeBudgets(await get<CycleSummaryResponse>(`/cycles/${cycle.id}/summary`)));
    }
    console.log(describeBalances(await get<CurrentBalancesResponse>('/balances/current')));
    const paymentMethods = await get<PaymentMethodResponse[]>('/payment-methods');
    for (const card of paymentMethods.filter((one) => one.closing_day !== null)) {
      const path = `/payment-methods/${card.id}/statements`;
      console.log(describeStatements(card, await get<CardStatementResponse[]>(path)));
    }
    console.log(describePayWindows(await get<ForecastResponse>('/forecast')));
    console.log(NEXT_STEP);
  } finally {
    await app.close();
  }
}

await main();
