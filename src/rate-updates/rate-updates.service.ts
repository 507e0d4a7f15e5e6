import { Inject, Injectable } from '@nestjs/common';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { Ledger } from '../ledger/ledger.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { OperatorError } from '../platform/errors/domain-error.js';
import { addDays, todayInUtc, type CalendarDate } from '../platform/values/calendar-date.js';

/** Longer than weekends and holidays, so that a rate is published before the first date. */
const DAYS_BEFORE_FIRST_DATE = 10;
/** Ten years. */
const MAX_DAYS_BACK = 3650;

export interface RateUpdate {
  from: CalendarDate;
  to: CalendarDate;
  /** The number of rates in the response. */
  rates: number;
  /** The number of those that are new. */
  added: number;
}

/** Exchange rates from the server of EXCHANGE_RATES_URL. */
@Injectable()
export class RateUpdatesService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly exchangeRates: ExchangeRatesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether amounts are converted by the example rate of a new database alone. */
  hasExampleAlone(): Promise<boolean> {
    return this.exchangeRates.hasExampleAlone();
  }

  /**
   * Stores the missing rates of MXN in USD from ten days before the earliest due or income date, at
   * most ten years ago, until today.
   *
   * @throws RatesSourceError; OperatorError without EXCHANGE_RATES_URL
   */
  async update(signal: AbortSignal): Promise<RateUpdate> {
    const { exchangeRatesUrl } = this.settings;
    if (exchangeRatesUrl === undefined) throw new OperatorError('EXCHANGE_RATES_URL is not set');
    const to = todayInUtc();
    const from = firstDay(
      await this.database.systemQuery((manager) => this.ledger.earliestDate(manager)),
      to,
    );
    const result = await this.exchangeRates.importMissing(exchangeRatesUrl, { from, to }, signal);
    return { from, to, ...result };
  }
}

function firstDay(earliest: CalendarDate | null, to: CalendarDate): CalendarDate {
  const firstDate = earliest !== null && earliest < to ? earliest : to;
  const from = addDays(firstDate, -DAYS_BEFORE_FIRST_DATE);
  const oldest = addDays(to, -MAX_DAYS_BACK);
  return from < oldest ? oldest : from;
}

/** One line for the log and the command. */
export function describeUpdate({ from, to, rates, added }: RateUpdate): string {
  const summary = `Fetched ${rates} rates of MXN in USD from ${from} to ${to}: ${added} new.`;
  return added === 0
    ? summary
    : `${summary} What was converted before keeps its rate until POST /cycles/{id}/reprice.`;
}
