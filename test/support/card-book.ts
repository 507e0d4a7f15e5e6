/**
 * What the bank of a card and its owner know of it: purchases by their days, statements and
 * payments, with dates by the calendar alone.
 */
import { sumOf, type Cents } from '../model/cents.js';
import { valueIn, type DatedAmount } from './conversion-model.js';
import type { Currency, StoredRate } from './stored-household.js';

/** A purchase, or a refund, which is negative. */
export interface Purchase extends DatedAmount {
  /** Whether the owner has entered it. */
  isEntered: boolean;
}

/** The date in the next month, or in the one before, that has the same day. */
export function inOtherMonth(date: string, months: 1 | -1): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  const text = String((index % 12) + 1).padStart(2, '0');
  return `${Math.floor(index / 12)}-${text}-${date.slice(8)}`;
}

export class CardBook {
  readonly purchases: Purchase[] = [];
  /** By closing, in the currency of the card, as the maps that follow. */
  readonly stated = new Map<string, Cents>();
  readonly interest = new Map<string, Cents>();
  readonly payments = new Map<string, { of: Cents; amount: Cents }>();

  /**
   * @param closingDay two digits, at most 28
   * @param rates with those that are published later
   */
  constructor(
    readonly currency: Currency,
    private readonly closingDay: string,
    private readonly firstClosing: string,
    readonly dueOn: (closing: string) => string,
    private readonly rates: readonly StoredRate[],
  ) {}

  /** The closing of the statement that has a day. */
  closingOf(date: string): string {
    const own = `${date.slice(0, 8)}${this.closingDay}`;
    return date <= own ? own : inOtherMonth(own, 1);
  }

  /** The closings from the first one until a date. */
  closingsUntil(date: string): string[] {
    const closings: string[] = [];
    for (let one = this.firstClosing; one <= date; one = inOtherMonth(one, 1)) closings.push(one);
    return closings;
  }

  get paid(): Cents {
    return sumOf([...this.payments.values()].map(({ amount }) => amount));
  }

  /** Everything that was bought, less refunds, and the interest. */
  get bought(): Cents {
    return this.valueOf(this.purchases) + sumOf([...this.interest.values()]);
  }

  /** What the bank wants for a statement. */
  billed(closing: string): Cents {
    const own = this.purchases.filter(({ date }) => this.closingOf(date) === closing);
    return this.carried(closing) + this.valueOf(own) + (this.interest.get(closing) ?? 0n);
  }

  /**
   * What the owner knows of a statement that is not paid.
   *
   * @param planned what will be bought as well
   */
  known(closing: string, planned: readonly DatedAmount[] = []): Cents {
    const entered = this.purchases.filter(({ isEntered }) => isEntered);
    const own = [...entered, ...planned].filter(({ date }) => this.closingOf(date) === closing);
    return this.stated.get(closing) ?? this.carried(closing) + this.valueOf(own);
  }

  /** What is closed with nothing to pay, or with a credit, is paid by itself. */
  closeUntil(date: string): void {
    for (const closing of this.closingsUntil(date)) {
      const of = this.known(closing);
      if (of <= 0n && !this.payments.has(closing)) this.payments.set(closing, { of, amount: 0n });
    }
  }

  private carried(closing: string): Cents {
    const before = this.payments.get(inOtherMonth(closing, -1));
    return before ? before.of - before.amount : 0n;
  }

  private valueOf(purchases: readonly DatedAmount[]): Cents {
    return sumOf(
      purchases.map((one) =>
        one.amount < 0n
          ? -valueIn(this.rates, this.currency, {
              ...one,
              amount: -one.amount,
              amount_usd: -one.amount_usd,
            })
          : valueIn(this.rates, this.currency, one),
      ),
    );
  }
}
