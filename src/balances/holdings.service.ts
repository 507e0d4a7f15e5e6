import { Inject, Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { CardsService, type CardSettlements } from '../cards/cards.service.js';
import { unitRate } from '../exchange-rates/conversion.js';
import { ExchangeRatesService } from '../exchange-rates/exchange-rates.service.js';
import { followingCycles } from '../ledger/following-cycles.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import { formatMoney, type Money } from '../platform/values/money.js';
import { dayIn } from '../platform/values/time-zone.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { toHoldingResponse, type CurrentBalancesResponse } from './dto/current-balances.dto.js';
import {
  datesOfPesos,
  holdingsOf,
  incomeAmountsOf,
  pesosToConvert,
  sumOf,
  type IncomeAmount,
} from './holdings.js';
import {
  listIncomeCycles,
  listStated,
  type IncomeCycle,
  type StatedRow,
} from './holdings.queries.js';

/** What there is in payment methods, by their latest balances and what was settled since. */
@Injectable()
export class HoldingsService {
  constructor(
    private readonly database: Database,
    private readonly exchangeRates: ExchangeRatesService,
    private readonly cards: CardsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The payment methods with a balance, and what was settled since, for a forecast. */
  listStated(scope: Scope, settlements: CardSettlements): Promise<StatedRow[]> {
    return listStated(scope, settlements);
  }

  /** @throws DomainError CURRENCY_CONVERSION_ERROR for pesos without a stored rate */
  current(user: AuthenticatedUser): Promise<CurrentBalancesResponse> {
    const { today } = user;
    return this.database.snapshot(user, async (scope) => {
      const [settlements, cycles] = await sendTogether([
        this.cards.settlements(scope),
        listIncomeCycles(scope),
      ]);
      const rows = await listStated(scope, settlements);
      // An `income_amount` of today counts on its day, in the forecast.
      const incomeAmounts = this.incomeAmounts(user, { rows, cycles, until: addDays(today, -1) });
      const converter = await this.exchangeRates.usdConverter(
        scope,
        pesosToConvert(rows, today),
        datesOfPesos(rows, incomeAmounts),
      );
      const all = holdingsOf(rows, incomeAmounts, converter);
      const holdings = all.filter(({ counts }) => counts);
      const hasPesos = holdings.some(({ currency }) => currency === 'MXN');
      const rate = hasPesos ? converter.rateOn('MXN', today) : undefined;
      return {
        today,
        exchange_rate: rate ? { rate: unitRate(rate).toFixed(6), rate_date: rate.rateDate } : null,
        total_usd: formatMoney(sumOf(holdings, { currency: 'USD', today, converter })),
        payment_methods: holdings.map(toHoldingResponse),
      };
    });
  }

  /**
   * What there should be in payment methods at an instant by the balances until then, in their
   * default currency, by their ids; none without such a balance, or with one in another currency.
   *
   * @throws DomainError CURRENCY_CONVERSION_ERROR for pesos without a stored rate
   */
  async expectedAt(
    scope: Scope,
    user: AuthenticatedUser,
    { paymentMethods, statedAt }: { paymentMethods: readonly PaymentMethod[]; statedAt: Date },
  ): Promise<ReadonlyMap<string, Money>> {
    const [settlements, cycles] = await sendTogether([
      this.cards.settlements(scope),
      listIncomeCycles(scope),
    ]);
    const rows = await listStated(scope, settlements, statedAt);
    // What is stated on the first day of a cycle includes its `income_amount`.
    const until = dayIn(user.timeZone, statedAt);
    const incomeAmounts = this.incomeAmounts(user, { rows, cycles, until });
    const pesosOn = datesOfPesos(rows, incomeAmounts);
    const converter = await this.exchangeRates.usdConverter(scope, [], pesosOn);
    const currencies = new Map(paymentMethods.map((one) => [one.id, one.defaultCurrency]));
    return new Map(
      holdingsOf(rows, incomeAmounts, converter)
        .filter(({ paymentMethod, currency }) => currencies.get(paymentMethod.id) === currency)
        .map(({ paymentMethod, amount }) => [paymentMethod.id, amount]),
    );
  }

  /** The `income_amount`s since the day of the balance of the main payment method. */
  private incomeAmounts(
    { today, timeZone, nextIncomeAmount }: AuthenticatedUser,
    {
      rows,
      cycles,
      until,
    }: { rows: readonly StatedRow[]; cycles: readonly IncomeCycle[]; until: CalendarDate },
  ): IncomeAmount[] {
    const main = rows.find(({ isMain }) => isMain);
    if (!main) return [];
    const { cycles: following } = followingCycles(
      cycles,
      { today, to: today },
      { maxDays: this.settings.cycleMaxDays, nextIncomeAmount },
    );
    const after = dayIn(timeZone, new Date(main.statedAt));
    return incomeAmountsOf([...cycles, ...following], { after, until });
  }
}
