import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { ListExchangeRatesQuery } from '../../exchange-rates/dto/exchange-rate.dto.js';
import { ExchangeRatesService } from '../../exchange-rates/exchange-rates.service.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import { describeUpdate, RateUpdatesService } from '../../rate-updates/rate-updates.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

const FETCH_TIMEOUT_MS = 60_000;

interface ListOptions {
  from?: CurrencyCode;
  to?: CurrencyCode;
  date?: string;
  json?: true;
}

export function exchangeRatesCommand(): Command {
  const rates = new Command('exchange-rates').description('stored exchange rates');

  rates
    .command('import')
    .description('import rates from a CSV file, all or none')
    .argument(
      '<file>',
      'CSV with the header from,to,rate,date and lines such as MXN,USD,0.058823,2026-01-31',
    )
    .option('--json', 'print JSON')
    .action(importRates);
  rates
    .command('fetch')
    .description('store the missing rates from the server of EXCHANGE_RATES_URL')
    .option('--json', 'print JSON')
    .action(fetchRates);
  rates
    .command('list')
    .description('list stored rates, newest first')
    .addOption(new Option('--from <code>').choices(CURRENCY_CODES))
    .addOption(new Option('--to <code>').choices(CURRENCY_CODES))
    .option('--date <date>', 'only the rates in force on that date')
    .option('--json', 'print JSON')
    .action(listRates);
  rates
    .command('coverage')
    .description('show the number of days of each month with a stored rate')
    .option('--json', 'print JSON')
    .action(showCoverage);
  return rates;
}

async function importRates(file: string, { json }: { json?: true }): Promise<void> {
  const csv = readFileSync(file);
  const result = await withServices(
    (services) => services.get(ExchangeRatesService).importFile(csv),
    {
      mayCreate: true,
    },
  );
  if (json) {
    printJson(result);
    return;
  }
  const { rates, changed } = result;
  console.log(`${rates} rates: ${changed} new or changed, ${rates - changed} unchanged.`);
}

async function fetchRates({ json }: { json?: true }): Promise<void> {
  const update = await withServices(
    (services) => services.get(RateUpdatesService).update(AbortSignal.timeout(FETCH_TIMEOUT_MS)),
    { mayCreate: true },
  );
  if (json) printJson(update);
  else console.log(describeUpdate(update));
}

async function listRates({ json, ...filter }: ListOptions): Promise<void> {
  const query = await validateBody(ListExchangeRatesQuery, filter);
  const list = await withServices((services) => services.get(ExchangeRatesService).list(query));
  if (json) {
    printJson(list);
    return;
  }
  printTable(
    list.rates.map(({ from_currency: From, to_currency: To, rate: Rate, rate_date: Since }) => ({
      From,
      To,
      Rate,
      Since,
    })),
    'There are no rates.',
  );
}

async function showCoverage({ json }: { json?: true }): Promise<void> {
  const coverage = await withServices((services) => services.get(ExchangeRatesService).coverage());
  if (json) {
    printJson(coverage);
    return;
  }
  printTable(
    coverage.months.map(({ month, days }) => ({ Month: month, ...days })),
    'There are no rates.',
  );
}
