import { Injectable } from '@nestjs/common';
import type { Big } from 'big.js';
import type { Counter } from 'prom-client';
import { Database, type Scope } from '../platform/database/database.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { todayInUtc, type CalendarDate } from '../platform/values/calendar-date.js';
import type { CurrencyCode } from '../platform/values/currency.js';
import type { Money } from '../platform/values/money.js';
import type { UserId } from '../platform/values/user-id.js';
import { convert, ConversionError, exchange, unitRate, type ConversionRate } from './conversion.js';
import { coverageOf, type Coverage } from './coverage.js';
import type { ExchangeRateListResponse, ListExchangeRatesQuery } from './dto/exchange-rate.dto.js';
import {
  countDaysByMonth,
  hasExampleRateAlone,
  listRates,
  listRatesInForce,
  listRatesOn,
} from './exchange-rates.queries.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';
import { parseRates } from './rates-file.js';
import { fetchRates } from './rates-source.js';

/** An amount with the date of its conversion. */
export interface DatedAmount {
  amount: Money;
  currency: CurrencyCode;
  date: CalendarDate;
}

/** An amount in USD and the rate that gave it; null for an amount that was in USD. */
export interface Conversion {
  amountUsd: Money;
  /** The value of one unit of the currency in USD, with 6 decimals. */
  exchangeRate: Big | null;
  /** The date of the stored rate. */
  exchangeRateDate: CalendarDate | null;
}

interface RateInForce extends ConversionRate {
  /** The date of the stored rate. */
  rateDate: CalendarDate;
}

const otherThan = (currency: CurrencyCode): CurrencyCode => (currency === 'USD' ? 'MXN' : 'USD');

type RatesByDate = ReadonlyMap<CalendarDate, RateInForce>;

/** Converts amounts, most of them to USD, with rates that were read before. */
export class UsdConverter {
  constructor(private readonly rates: ReadonlyMap<CurrencyCode, RatesByDate>) {}

  /**
   * The amount in USD, rounded half up to cents, with the rate.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR without a stored rate, or when the result is 0.00
   *   or too large
   */
  toUsd({ amount, currency, date }: DatedAmount): Conversion {
    if (currency === 'USD')
      return { amountUsd: amount, exchangeRate: null, exchangeRateDate: null };
    const rate = this.rateOn(currency, date);
    return {
      amountUsd: convert(amount, rate),
      exchangeRate: unitRate(rate),
      exchangeRateDate: rate.rateDate,
    };
  }

  /**
   * An amount of any sign and size in the other currency, rounded half up to cents.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR without a stored rate
   */
  exchange({ amount, currency, date }: DatedAmount, to: CurrencyCode): Money {
    return currency === to ? amount : exchange(amount, this.rateOn(currency, date));
  }

  /**
   * The rate from a currency to the other one in force on a date.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR without a stored rate
   */
  rateOn(currency: CurrencyCode, date: CalendarDate): RateInForce {
    const rate = this.rates.get(currency)?.get(date);
    if (rate) return rate;
    const to = otherThan(currency);
    throw new ConversionError(`No exchange rate from ${currency} to ${to} is stored`, 'currency', {
      from_currency: currency,
      to_currency: to,
      date,
    });
  }
}

/** Exchange rates, and the conversion of amounts to USD by the rate of their date. */
@Injectable()
export class ExchangeRatesService {
  private readonly ratesUsed: Counter<'rate'>;

  constructor(
    private readonly database: Database,
    private readonly repository: ExchangeRatesRepository,
    metrics: Metrics,
  ) {
    this.ratesUsed = metrics.addCounter({
      name: 'conversion_rates_used_total',
      help: 'Rates read to convert amounts to USD, one a date: of the same date (exact) or of another (other_day)',
      labelNames: ['rate'],
    });
  }

  /**
   * All stored rates, or with a date the rate of each pair in force on it.
   *
   * @param userId the user of the request, if it has one
   */
  async list(
    { date, ...filter }: ListExchangeRatesQuery,
    userId?: UserId,
  ): Promise<ExchangeRateListResponse> {
    const rates = await this.database.systemQuery(
      (manager) =>
        date === undefined ? listRates(manager, filter) : listRatesOn(manager, filter, date),
      userId,
    );
    return { rates };
  }

  /**
   * Stores the rates of a CSV file, all or none; a rate of the same pair and date is replaced.
   * Expenses keep their USD amounts.
   *
   * @returns the number of rates in the file, and of those that are new or changed
   * @throws RatesFileError
   */
  async importFile(csv: Buffer): Promise<{ rates: number; changed: number }> {
    const rates = parseRates(csv);
    const changed = await this.database.systemTransaction((manager) =>
      this.repository.upsert(manager, rates),
    );
    return { rates: rates.length, changed };
  }

  /**
   * Fetches the rates of MXN in USD from a server, and stores those of days that have none. Stored
   * rates and the USD amounts of expenses do not change.
   *
   * @returns the number of rates in the response, and of those that are new
   * @throws RatesSourceError; then nothing is stored
   */
  async importMissing(
    server: string,
    range: { from: CalendarDate; to: CalendarDate },
    signal: AbortSignal,
  ): Promise<{ rates: number; added: number }> {
    const rates = await fetchRates(server, range, signal);
    const added = await this.database.systemTransaction((manager) =>
      this.repository.insertMissing(manager, rates),
    );
    return { rates: rates.length, added };
  }

  /**
   * The days with a stored rate by month, from the first stored month to the current or last stored
   * one.
   */
  async coverage(): Promise<Coverage> {
    return coverageOf(await this.database.systemQuery(countDaysByMonth), todayInUtc());
  }

  /** Whether amounts are converted by the example rate of a new database alone. */
  hasExampleAlone(): Promise<boolean> {
    return this.database.systemQuery(hasExampleRateAlone);
  }

  /**
   * A converter with the rates for these currencies and dates, read with one query per currency.
   *
   * @param pesosOn the dates on which amounts in USD are exchanged for pesos
   */
  async usdConverter(
    scope: Scope,
    amounts: readonly Pick<DatedAmount, 'currency' | 'date'>[],
    pesosOn: readonly CalendarDate[] = [],
  ): Promise<UsdConverter> {
    const dates = new Map<CurrencyCode, Set<CalendarDate>>();
    for (const { currency, date } of amounts) {
      if (currency === 'USD') continue;
      dates.set(currency, (dates.get(currency) ?? new Set()).add(date));
    }
    if (pesosOn.length > 0) dates.set('USD', new Set(pesosOn));
    const rates = new Map<CurrencyCode, RatesByDate>();
    for (const [currency, wanted] of dates) {
      rates.set(currency, await this.ratesInForce(scope, currency, [...wanted]));
    }
    return new UsdConverter(rates);
  }

  private async ratesInForce(
    { manager }: Scope,
    from: CurrencyCode,
    dates: readonly CalendarDate[],
  ): Promise<RatesByDate> {
    const rates = await listRatesInForce(manager, { from, to: otherThan(from) }, dates);
    for (const { date, rateDate } of rates) {
      this.ratesUsed.inc({ rate: date === rateDate ? 'exact' : 'other_day' });
    }
    return new Map(rates.map((rate) => [rate.date, rate]));
  }
}
