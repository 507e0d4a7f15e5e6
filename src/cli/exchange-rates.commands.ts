import { Command, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { CURRENCY_CODES, type CurrencyCode } from '../common/enums.js';
import { validatedBody } from '../common/http/validated-body.js';
import {
  ListExchangeRatesQuery,
  toExchangeRateList,
} from '../exchange-rates/dto/exchange-rate.dto.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

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
    .description('store the rates of a CSV file: all of them, or none when a line is wrong')
    .argument(
      '<file>',
      'first line from,to,rate,date; then for example MXN,USD,0.058823,2026-01-31',
    )
    .option('--json', 'print JSON')
    .action(importRates);
  rates
    .command('list')
    .description('list stored rates, newest first')
    .addOption(new Option('--from <code>').choices(CURRENCY_CODES))
    .addOption(new Option('--to <code>').choices(CURRENCY_CODES))
    .option('--date <date>', 'only those in force on that day')
    .option('--json', 'print JSON')
    .action(listRates);
  rates
    .command('coverage')
    .description('show for how many days of each month a rate is stored')
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
  console.log(`${rates} rates: ${changed} new or changed, ${rates - changed} stored already.`);
}

async function listRates({ json, ...filter }: ListOptions): Promise<void> {
  const query = await validatedBody(ListExchangeRatesQuery, filter);
  const list = toExchangeRateList(
    await withServices((services) => services.get(ExchangeRatesService).list(query)),
  );
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
