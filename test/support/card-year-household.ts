/**
 * A household with two cards that lives by the service day by day, beside what it really has: the
 * accounts from which money leaves when the statements are paid.
 */
import { money, type Cents } from '../model/cents.js';
import type { Purchase } from './card-book.js';
import {
  CardYearAccounts,
  FIRST_DAY,
  LAST_DAY,
  type CardName,
  type Cycle,
} from './card-year-accounts.js';
import { occurrencesOf, TEMPLATES } from './card-year-plan.js';
import type { DatedAmount } from './conversion-model.js';
import { plusDays } from './forecast-periods.js';
import type { Currency } from './stored-household.js';

/** A purchase that is entered some days later. */
interface Forgotten {
  card: CardName;
  purchase: Purchase;
  enterOn: string;
}

export class CardYearHousehold extends CardYearAccounts {
  /** Whether something was paid that is entered on the next morning. */
  waitsForTomorrow = false;
  counts = { late: 0, partial: 0, stated: 0, refunds: 0 };
  private forgotten: Forgotten[] = [];

  /** A day from its morning to its evening. */
  async live(): Promise<void> {
    const { today } = this;
    this.waitsForTomorrow = false;
    this.at('07:00');
    if (today.endsWith('-01')) await this.publishRate();
    this.payByItself();
    if (today.endsWith('-13')) await this.readBill();
    for (const book of Object.values(this.cards)) book.closeUntil(plusDays(today, -1));
    if (today !== FIRST_DAY) this.begunToday = 0n;
    if (today === this.cycle.start_date) {
      this.user = await (await this.service.signIn(this.user.email)).script();
      await this.closePrevious();
    }
    this.at('08:00');
    await this.payAzul(plusDays(today, -1), true);
    await this.remember();
    this.at('12:00');
    await this.settleToday();
    this.at('15:00');
    await this.buy();
    this.at('18:00');
    await this.payAzul(today, false);
    this.at('20:00');
    const isEndOfQuarter = ['03-31', '06-30', '09-30'].includes(today.slice(5));
    if (this.statesBalances && isEndOfQuarter) await this.stateBalances();
  }

  /** At the end of the last day of a cycle: the next one. */
  async endDay(): Promise<void> {
    if (this.today !== this.cycle.end_date || this.today === LAST_DAY) return;
    this.at('21:00');
    const next = await this.user.read<Cycle & { income_amount: string }>('/cycles/next');
    const { start_date, end_date, income_amount } = next;
    await this.createCycle({ start_date, end_date, income_amount });
  }

  get isFortnight(): boolean {
    return this.today === this.cycle.end_date;
  }

  /** With what the forecast begins, without what is forgotten. */
  get opening(): Cents {
    return this.statesBalances ? this.totalReal : this.planned - this.begunToday;
  }

  /** The first day with the least money of all until a day, and how much that is. */
  leastUntil(last: string): { date: string; balance: Cents } {
    const later = TEMPLATES.flatMap((template) =>
      occurrencesOf(template, plusDays(this.cycle.end_date, 1), last).map((one) => ({
        ...one,
        amount_usd: this.usdAt(one.amount, one.currency, one.date),
      })),
    );
    const changes = new Map<string, Cents>();
    const change = (date: string, amount: Cents): void => {
      const day = date < this.today ? this.today : date;
      changes.set(day, (changes.get(day) ?? 0n) + amount);
    };
    for (const one of [...this.open, ...later]) {
      if (one.card === null) change(one.date, one.isIncome ? one.amount_usd : -one.amount_usd);
    }
    for (const name of ['azul', 'gold'] as const) {
      const planned = later.filter(({ card }) => card === name);
      for (const [due, amount] of this.dues(name, planned, last)) change(due, -amount);
    }
    let balance = this.opening + this.begunTodayOfPlan;
    let least: { date: string; balance: Cents } | undefined;
    for (let date = this.today; date <= last; date = plusDays(date, 1)) {
      balance += changes.get(date) ?? 0n;
      if (!least || balance < least.balance) least = { date, balance };
    }
    if (!least) throw new Error('There is no day');
    return least;
  }

  private get begunTodayOfPlan(): Cents {
    return this.statesBalances ? 0n : this.begunToday;
  }

  /** What is owed for a card by due date, in USD. */
  private dues(
    name: CardName,
    planned: readonly DatedAmount[],
    last: string,
  ): [due: string, amount: Cents][] {
    const book = this.cards[name];
    return book
      .closingsUntil(last)
      .filter((closing) => !book.payments.has(closing) && book.dueOn(closing) <= last)
      .map((closing) => {
        const amount = book.known(closing, planned);
        const owed = amount > 0n ? amount : 0n;
        return [book.dueOn(closing), this.usdAt(owed, book.currency, this.today)];
      });
  }

  /** In the night after its due date the bank takes what is owed for the card with autopay. */
  private payByItself(): void {
    const { gold } = this.cards;
    for (const closing of gold.closingsUntil(this.today)) {
      const due = gold.dueOn(closing);
      if (due >= this.today || gold.payments.has(closing)) continue;
      const amount = gold.known(closing);
      gold.payments.set(closing, { of: amount, amount });
      this.real.checking -= amount;
      this.left.gold += amount;
      this.planned -= amount;
    }
  }

  /** What the bank says of a closed statement counts, whatever was entered. */
  private async readBill(): Promise<void> {
    const { azul } = this.cards;
    const closing = plusDays(this.today, -1);
    if (closing < FIRST_DAY) return;
    const billed = azul.billed(closing);
    if (billed <= 0n || billed === azul.known(closing)) return;
    azul.stated.set(closing, billed);
    this.counts.stated += 1;
    await this.putStatement(closing, { stated_amount: money(billed) });
  }

  /**
   * Pays the statement of the card in pesos that is due, some three days late, some in part.
   *
   * @param isEntering whether it was paid the day before and is entered only now
   */
  private async payAzul(day: string, isEntering: boolean): Promise<void> {
    const { azul } = this.cards;
    for (const closing of azul.closingsUntil(day)) {
      const month = Number(closing.slice(5, 7));
      const due = azul.dueOn(closing);
      if (closing < FIRST_DAY || day !== (month === 6 ? plusDays(due, 3) : due)) continue;
      const isEnteredLate = month % 4 === 2;
      const isPart = month % 4 === 1;
      if (!isEntering) {
        // Paid by itself.
        if (azul.payments.has(closing)) continue;
        const of = azul.known(closing);
        const amount = isPart ? (of * 6n) / 10n : of;
        this.real.nomina -= amount;
        this.left.azul += amount;
        this.planned -= this.usdAt(amount, 'MXN', day);
        azul.payments.set(closing, { of, amount });
        const next = azul.closingOf(plusDays(closing, 1));
        if (isPart) azul.interest.set(next, (of - amount) / 100n);
      }
      if (isEntering !== isEnteredLate) {
        this.waitsForTomorrow = !isEntering;
        continue;
      }
      const { amount = 0n } = azul.payments.get(closing) ?? {};
      if (amount === 0n) continue;
      if (isEnteredLate) this.counts.late += 1;
      if (isPart) this.counts.partial += 1;
      await this.putStatement(closing, {
        ...{ paid: true, ...(isPart && { paid_amount: money(amount) }) },
        ...(isEntering && { paid_at: `${day}T18:00:00-06:00` }),
      });
    }
  }

  private async settleToday(): Promise<void> {
    const due = this.open.filter(({ date }) => date === this.today);
    for (const { id, cycleId, isIncome, account, amount, amount_usd } of due) {
      const sign = isIncome ? 1n : -1n;
      if (account === 'nomina' || account === 'checking') this.real[account] += sign * amount;
      this.planned += sign * amount_usd;
      const path = `/cycles/${cycleId}/${isIncome ? 'incomes' : 'expenses'}/${id}`;
      await this.user.put(path, isIncome ? { received: true } : { paid: true }).expect(200);
    }
    this.open = this.open.filter((one) => !due.includes(one));
  }

  /** Purchases by card; some are forgotten for a while, and some things are given back. */
  private async buy(): Promise<void> {
    if (this.numbers.next(3) > 0) return;
    const card: CardName = this.numbers.next(2) === 0 ? 'azul' : 'gold';
    const currency: Currency = this.numbers.next(4) > 0 ? this.cards[card].currency : 'USD';
    const amount = BigInt(currency === 'MXN' ? 20_000 : 1_000) + BigInt(this.numbers.next(30_000));
    const isRefund = this.numbers.next(12) === 0;
    const sign = isRefund ? -1n : 1n;
    const purchase: Purchase = {
      ...{ currency, date: this.today, amount: sign * amount, isEntered: false },
      amount_usd: sign * this.usdAt(amount, currency, this.today),
    };
    this.cards[card].purchases.push(purchase);
    const isForgotten = card === 'azul' && this.today < LAST_DAY && this.numbers.next(4) === 0;
    const days = 3 + this.numbers.next(40);
    if (isForgotten) this.forgotten.push({ card, purchase, enterOn: plusDays(this.today, days) });
    else await this.enter(card, purchase);
  }

  private async remember(): Promise<void> {
    const isDue = ({ enterOn }: Forgotten): boolean =>
      enterOn <= this.today || this.today === LAST_DAY;
    for (const { card, purchase } of this.forgotten.filter(isDue)) await this.enter(card, purchase);
    this.forgotten = this.forgotten.filter((one) => !isDue(one));
  }

  private async enter(card: CardName, purchase: Purchase): Promise<void> {
    purchase.isEntered = true;
    const { currency, date, amount } = purchase;
    const cycleId = this.cycle.id;
    const body = { currency, payment_method_id: this.ids.get(card) };
    if (amount < 0n) {
      this.counts.refunds += 1;
      await this.user.createIncome(cycleId, { ...body, amount: money(-amount), income_date: date });
      return;
    }
    const expense = { ...body, amount: money(amount), due_date: date };
    const { id } = await this.user.createExpense(cycleId, expense);
    // Some mark as paid what they have bought, which changes nothing.
    if (this.numbers.next(2) === 0) {
      await this.user.put(`/cycles/${cycleId}/expenses/${id}`, { paid: true }).expect(200);
    }
  }
}
