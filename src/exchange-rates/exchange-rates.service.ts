import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { today, type CalendarDate } from '../common/calendar-date.js';
import type { CurrencyCode } from '../common/enums.js';
import type { Money } from '../common/money.js';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import type { ListExchangeRatesQuery } from './dto/exchange-rate.dto.js';
import type { ExchangeRate } from './exchange-rate.entity.js';
import { conversionError, convert, type ConversionRate } from './conversion.js';
import { coverageOf, type Coverage } from './coverage.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';
import { parseRates } from './rates-file.js';

/** An amount on a day. */
export interface DatedAmount {
  amount: Money;
  currency: CurrencyCode;
  date: CalendarDate;
}

type RatesByDate = ReadonlyMap<CalendarDate, ConversionRate>;

/** Converts to USD by the rates that were looked up for it. */
export class UsdConverter {
  constructor(private readonly rates: ReadonlyMap<CurrencyCode, RatesByDate>) {}

  /** @throws DomainError CURRENCY_CONVERSION_ERROR: no stored rate, or nothing left in cents */
  toUsd({ amount, currency, date }: DatedAmount): Money {
    if (currency === 'USD') return amount;
    const rate = this.rates.get(currency)?.get(date);
    if (!rate) {
      throw conversionError(`No exchange rate from ${currency} to USD is stored`, {
        from_currency: currency,
        to_currency: 'USD',
        date,
      });
    }
    return convert(amount, rate);
  }
}

/** Conversion by stored rates per date (see docs/api.md). */
@Injectable()
export class ExchangeRatesService {
  constructor(
    private readonly database: Database,
    private readonly repository: ExchangeRatesRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Stored rates: all of them, or with a date the one of each pair in force on that day. */
  list({ date, ...filter }: ListExchangeRatesQuery): Promise<ExchangeRate[]> {
    const { manager } = this.database;
    return date === undefined
      ? this.repository.list(manager, filter)
      : this.repository.listOn(manager, filter, date);
  }

  /**
   * Stores the rates of a CSV file, all of them or none; a rate of the same pair and date is replaced.
   * Expenses keep the USD amount they were given.
   *
   * @returns how many rates the file has, and how many of them were not stored like that before
   * @throws RatesFileError
   */
  async importFile(csv: Buffer): Promise<{ rates: number; changed: number }> {
    const rates = parseRates(csv);
    const changed = await this.database.transaction((manager) =>
      this.repository.upsert(manager, rates),
    );
    return { rates: rates.length, changed };
  }

  /** Which months have rates: from the first one stored to this one, or the last stored if later. */
  async coverage(): Promise<Coverage> {
    return coverageOf(await this.repository.daysByMonth(this.database.manager), today());
  }

  /** Looks up what converting the amounts needs: at most two queries a currency, however many. */
  async usdConverter(
    manager: EntityManager,
    amounts: readonly Pick<DatedAmount, 'currency' | 'date'>[],
  ): Promise<UsdConverter> {
    const dates = new Map<CurrencyCode, Set<CalendarDate>>();
    for (const { currency, date } of amounts) {
      if (currency === 'USD') continue;
      dates.set(currency, (dates.get(currency) ?? new Set()).add(date));
    }
    const rates = new Map<CurrencyCode, RatesByDate>();
    for (const [currency, wanted] of dates) {
      rates.set(currency, await this.ratesToUsd(manager, currency, [...wanted]));
    }
    return new UsdConverter(rates);
  }

  /** The rates of the stored pair, or else those of the reversed pair, to divide by. */
  private async ratesToUsd(
    manager: EntityManager,
    currency: CurrencyCode,
    dates: readonly CalendarDate[],
  ): Promise<RatesByDate> {
    const direct = await this.repository.inForce(manager, { from: currency, to: 'USD' }, dates);
    const inverse = direct.length === 0;
    const found = inverse
      ? await this.repository.inForce(manager, { from: 'USD', to: currency }, dates)
      : direct;
    for (const { date, rateDate } of found) {
      this.metrics.ratesUsed.inc({ rate: date === rateDate ? 'exact' : 'other_day' });
    }
    return new Map(found.map(({ date, rate }) => [date, { rate, inverse }]));
  }
}
