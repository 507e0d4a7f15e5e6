/**
 * A household that lives by the service day by day, beside what it really has: the accounts from
 * which money leaves whether or not somebody enters it.
 */
import { expect } from '@jest/globals';
import { cents, money, type Cents } from '../model/cents.js';
import type { Client } from './client.js';
import { setTime } from './clock.js';
import { converted } from './conversion-model.js';
import { dayAt, dayNumber } from './due-days.js';
import { plusDays } from './forecast-periods.js';
import type { Service } from './service.js';
import type { Currency, StoredRate } from './stored-household.js';

export const ACCOUNTS = ['pesos', 'dollars', 'cash'] as const;

export type Account = (typeof ACCOUNTS)[number];

const CURRENCIES: Readonly<Record<Account, Currency>> = {
  pesos: 'MXN',
  dollars: 'USD',
  cash: 'MXN',
};

const INITIAL: Readonly<Record<Account, string>> = {
  pesos: '31500.00',
  dollars: '2400.00',
  cash: '2500.00',
};

export const FIRST_DAY = '2026-01-05';
export const CYCLE_DAYS = 42;
const CYCLES = 9;
export const LAST_DAY = plusDays(FIRST_DAY, CYCLES * CYCLE_DAYS - 1);

const WITHDRAWAL = cents('3600.00');

/** Always the same numbers, so that every run is the same year. */
class Numbers {
  private state = 20_260_105;

  /** At least 0, below the limit. */
  next(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.state / 2_147_483_648) * limit);
  }
}

/** A bill or an income that waits for its day. */
interface Planned {
  kind: 'expenses' | 'incomes';
  id: string;
  cycleId: string;
  description: string;
  currency: Currency;
  amount: Cents;
  date: string;
  account: Account;
  /** On which the money really leaves or arrives. */
  realDay: string;
  /** Entered on the next morning, with the time of the day before. */
  isEnteredLate: boolean;
}

interface EntryBody {
  id: string;
  description: string;
  currency: Currency;
  amount: string;
  payment_method: { id: string } | null;
  due_date?: string;
  income_date?: string;
}

interface CycleBody {
  id: string;
  start_date: string;
  end_date: string;
  income_amount: string;
  status: string;
}

interface NextCycleBody {
  name: string;
  start_date: string;
  end_date: string;
  income_amount: string;
  follows: { cycle_id: string; left_over: string } | null;
}

interface BalanceBody {
  payment_method: { id: string };
  amount: string;
  expected: string | null;
  difference: string | null;
}

interface CloseBody {
  cycle: CycleBody;
  moved: { from_id: string; expense: EntryBody }[];
  moved_incomes: { from_id: string; income: EntryBody }[];
  left_over: string;
}

export interface CurrentBalances {
  total_usd: string;
  payment_methods: { payment_method: { id: string }; currency: Currency; amount: string }[];
}

export class YearHousehold {
  today = FIRST_DAY;
  user!: Client;
  /** What is in each account. */
  readonly real: Record<Account, Cents> = {
    pesos: cents(INITIAL.pesos),
    dollars: cents(INITIAL.dollars),
    cash: cents(INITIAL.cash),
  };
  readonly methods = new Map<string, Account>();
  /** How many entries closings have moved to the next cycle. */
  readonly moved = { expenses: 0, incomes: 0 };
  forgotten = 0n;
  protected readonly rates: StoredRate[] = [
    { from_currency: 'MXN', to_currency: 'USD', rate: '0.050000', rate_date: '2025-01-01' },
  ];
  protected cycles: CycleBody[] = [];
  protected planned: Planned[] = [];
  /** Changes of accounts since the last balance that nobody has entered. */
  private unentered: { account: Account; amount: Cents; entry?: Planned }[] = [];
  private readonly numbers = new Numbers();
  private readonly ids = new Map<string, string>();

  constructor(protected readonly service: Service) {}

  /** What the service can know of an account. */
  known(account: Account): Cents {
    let amount = this.real[account];
    for (const one of this.unentered) if (one.account === account) amount -= one.amount;
    return amount;
  }

  /** The sum in USD: pesos at today's rate, converted once. */
  totalOf(amountOf: (account: Account) => Cents): Cents {
    const pesos = amountOf('pesos') + amountOf('cash');
    return amountOf('dollars') + this.convert(pesos, 'MXN', 'USD', this.today);
  }

  get totalReal(): Cents {
    return this.totalOf((account) => this.real[account]);
  }

  get totalKnown(): Cents {
    return this.totalOf((account) => this.known(account));
  }

  /** Whether money has moved that is entered on the next morning. */
  get waitsForTomorrow(): boolean {
    return this.unentered.some(({ entry }) => entry !== undefined);
  }

  /** Everything until the first evening. */
  async begin(): Promise<void> {
    await this.publishRate();
    this.at('07:00');
    this.user = await this.service.signUp(this.profile());
    await this.createPlan();
    const end_date = plusDays(FIRST_DAY, CYCLE_DAYS - 1);
    const income_amount = money(this.totalReal);
    await this.createCycle({ name: 'First', start_date: FIRST_DAY, end_date, income_amount });
    this.at('07:10');
    await this.stateBalances();
  }

  /** A day from its morning to its evening, when everything that will be entered today is. */
  async live(): Promise<void> {
    const { today } = this;
    const current = this.currentCycle;
    const daysIn = dayNumber(today) - dayNumber(current.start_date);
    if (daysIn === 0) await this.signInAgain();
    if (dayAt(dayNumber(today)).weekday === 1 && today !== FIRST_DAY) await this.publishRate();
    const previous = this.cycles.at(-2);
    if (daysIn === 2 && previous) {
      this.at('07:00');
      await this.close(previous, current);
    }
    this.at('08:00');
    await this.enterYesterday();
    this.at('12:00');
    await this.settleToday();
    this.at('19:00');
    await this.dine();
    if (this.isQuincena) {
      this.at('20:00');
      this.move('pesos', -WITHDRAWAL);
      this.move('cash', WITHDRAWAL);
      this.at('20:30');
      await this.stateBalances();
    }
    if (daysIn === CYCLE_DAYS - 1 && today < LAST_DAY) {
      this.at('21:00');
      await this.createNextCycle();
    }
    this.at('22:00');
  }

  protected profile(): Record<string, unknown> {
    return { time_zone: 'America/Mexico_City', next_income_amount: 'zero' };
  }

  /** States what is in each account; what was not entered until now never has to be. */
  protected async stateBalances(): Promise<void> {
    const balances = ACCOUNTS.map((account) => ({
      payment_method_id: this.ids.get(account),
      amount: money(this.real[account]),
    }));
    const response = await this.user.post('/balances', { balances }).expect(201);
    const stated = (response.body as { balances: BalanceBody[] }).balances;
    const isFirst = this.today === FIRST_DAY;
    expect(
      stated.map(({ amount, expected, difference }) => [amount, expected, difference]),
    ).toEqual(
      ACCOUNTS.map((account) => [
        money(this.real[account]),
        isFirst ? null : money(this.known(account)),
        isFirst ? null : money(this.real[account] - this.known(account)),
      ]),
    );
    this.forgetUnentered();
  }

  protected forgetUnentered(): void {
    this.unentered = [];
  }

  /** Completes a cycle; what is open in it goes on in the next one. */
  protected async close(cycle: CycleBody, next: CycleBody): Promise<void> {
    const path = `/cycles/${cycle.id}/close`;
    const { left_over } = await this.user.read<{ left_over: string }>(path);
    const response = await this.user.post(path, { to_cycle_id: next.id }).expect(200);
    const closed = response.body as CloseBody;
    expect([closed.cycle.status, closed.left_over]).toEqual(['completed', left_over]);
    const open = this.planned.filter(({ cycleId }) => cycleId === cycle.id);
    expect([...closed.moved, ...closed.moved_incomes].map(({ from_id }) => from_id).sort()).toEqual(
      open.map(({ id }) => id).sort(),
    );
    for (const { from_id, expense } of closed.moved) this.moveEntry(from_id, expense.id, next);
    for (const { from_id, income } of closed.moved_incomes) {
      this.moveEntry(from_id, income.id, next);
    }
    this.moved.expenses += closed.moved.length;
    this.moved.incomes += closed.moved_incomes.length;
  }

  protected moveEntry(fromId: string, id: string, next: CycleBody): void {
    const entry = this.planned.find((one) => one.id === fromId);
    if (entry) Object.assign(entry, { id, cycleId: next.id });
  }

  protected get currentCycle(): CycleBody {
    const { today } = this;
    const current = this.cycles.find((one) => one.start_date <= today && today <= one.end_date);
    if (!current) throw new Error(`No cycle has ${today}`);
    return current;
  }

  /** The 15th and the last day of a month. */
  private get isQuincena(): boolean {
    return this.today.endsWith('-15') || plusDays(this.today, 1).endsWith('-01');
  }

  private at(time: string): void {
    setTime(new Date(`${this.today}T${time}:00-06:00`).toISOString());
  }

  private convert(amount: Cents, from: Currency, to: Currency, date: string): Cents {
    return converted(this.rates, { amount, from, to, date });
  }

  /** A rate for the week, now and then published in pesos for a dollar. */
  private async publishRate(): Promise<void> {
    const weeks = Math.floor((dayNumber(this.today) - dayNumber(FIRST_DAY)) / 7);
    const micros = 52_000 + this.numbers.next(9_000);
    const isReversed = weeks % 4 === 3;
    const rate: StoredRate = {
      from_currency: isReversed ? 'USD' : 'MXN',
      to_currency: isReversed ? 'MXN' : 'USD',
      rate: isReversed ? `1${7 + this.numbers.next(3)}.${micros}0` : `0.0${micros}`,
      rate_date: this.today,
    };
    this.rates.push(rate);
    await this.service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ($1, $2, $3, $4)`,
      [rate.from_currency, rate.to_currency, rate.rate, rate.rate_date],
    );
  }

  /** A token for the next weeks. */
  private async signInAgain(): Promise<void> {
    this.user = await (await this.service.signIn(this.user.email)).script();
  }

  private async createPlan(): Promise<void> {
    const { user } = this;
    const method = async (name: string, method_type: string, currency: string): Promise<string> => {
      const body = { name, method_type, default_currency: currency };
      return (await user.createPaymentMethod(body)).id;
    };
    const pesos = await method('Débito', 'debit', 'MXN');
    const dollars = await method('Checking', 'debit', 'USD');
    const cash = await method('Cartera', 'cash', 'MXN');
    // Nobody states how much it has: its bills are paid from the first account.
    const spei = await method('SPEI', 'transfer', 'MXN');
    for (const [account, id] of Object.entries({ pesos, dollars, cash })) this.ids.set(account, id);
    for (const account of ACCOUNTS) this.methods.set(this.ids.get(account) ?? '', account);
    const { id: budget_id } = await user.createBudget({ name: 'Despensa', limit: '300.00' });
    const monthly = (day_of_month: number): object => ({
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month, handle_month_end: true },
      weekend_rule: 'before',
    });
    const bill = (
      description: string,
      amount: [Currency, string],
      body: object,
    ): Promise<unknown> =>
      user.createTemplate({ description, currency: amount[0], base_amount: amount[1], ...body });
    await bill('Renta', ['MXN', '8000.00'], { ...monthly(1), payment_method_id: pesos });
    await bill('Colegiatura', ['MXN', '3500.00'], { ...monthly(5), payment_method_id: spei });
    await bill('Internet', ['MXN', '599.00'], { ...monthly(10), payment_method_id: pesos });
    await bill('Streaming', ['USD', '15.49'], { ...monthly(12), payment_method_id: dollars });
    await bill('Luz', ['MXN', '1140.55'], {
      payment_method_id: spei,
      recurrence_type: 'custom',
      recurrence_config: { interval: 2, unit: 'months' },
      reference_date: '2026-01-18',
    });
    // In dollars, from the account in pesos.
    await bill('Hosting', ['USD', '19.99'], { ...monthly(23), payment_method_id: pesos });
    await bill('Súper', ['MXN', '1250.00'], {
      ...{ payment_method_id: cash, budget_id, category: 'variable' },
      ...{ recurrence_type: 'weekly', recurrence_config: { day_of_week: 6 } },
    });
    const pay = (description: string, amount: [Currency, string], body: object): Promise<unknown> =>
      user.createIncomeTemplate({
        ...{ description, currency: amount[0], base_amount: amount[1] },
        ...body,
      });
    for (const day of [15, 31]) {
      await pay('Quincena', ['MXN', '9800.00'], { ...monthly(day), payment_method_id: pesos });
    }
    await pay('Paycheck', ['USD', '310.25'], {
      payment_method_id: dollars,
      reference_date: '2026-01-02',
    });
    // To the first account, though it does not say so.
    await pay('Clases', ['MXN', '1250.00'], monthly(20));
  }

  protected async createNextCycle(): Promise<void> {
    const { follows, ...proposal } = await this.user.read<NextCycleBody>('/cycles/next');
    const { id } = this.currentCycle;
    const { left_over } = await this.user.read<{ left_over: string }>(`/cycles/${id}/close`);
    expect({ income_amount: proposal.income_amount, follows }).toEqual({
      income_amount: '0.00',
      follows: { cycle_id: id, left_over },
    });
    await this.createCycle(proposal);
  }

  protected async createCycle(body: Omit<NextCycleBody, 'follows'>): Promise<void> {
    const cycle = (await this.user.createCycle({ ...body })) as CycleBody;
    this.cycles.push(cycle);
    await this.user.put(`/cycles/${cycle.id}`, { status: 'active' }).expect(200);
    const { expenses } = await this.user.expenses(cycle.id);
    const { incomes } = await this.user.incomes(cycle.id);
    for (const entry of expenses) this.plan('expenses', cycle, entry);
    for (const entry of incomes) this.plan('incomes', cycle, entry);
  }

  /** Decides when the money of an entry really leaves or arrives, and how much. */
  private plan(kind: Planned['kind'], cycle: CycleBody, entry: EntryBody): void {
    const { id, description, currency } = entry;
    const date = entry.due_date ?? entry.income_date ?? '';
    const chance = this.numbers.next(10);
    const delay =
      chance < 5 ? 0 : chance < 7 ? 1 + this.numbers.next(3) : 4 + this.numbers.next(12);
    const varies = description === 'Luz' || description === 'Súper';
    const more = varies ? BigInt(this.numbers.next(20_000)) - 9_000n : 0n;
    this.planned.push({
      ...{ kind, id, cycleId: cycle.id, description, currency, date },
      amount: cents(entry.amount) + more,
      account: this.methods.get(entry.payment_method?.id ?? '') ?? 'pesos',
      realDay: plusDays(date, kind === 'incomes' && chance < 8 ? 0 : delay),
      isEnteredLate: this.numbers.next(6) === 0,
    });
  }

  /** Money that leaves an account, or arrives there, whether or not it is entered. */
  private move(account: Account, amount: Cents, entry?: Planned): void {
    this.real[account] += amount;
    this.unentered.push({ account, amount, entry });
  }

  private async settleToday(): Promise<void> {
    const due = this.planned.filter(({ realDay }) => realDay === this.today);
    for (const entry of due) {
      const { kind, account, currency, date } = entry;
      const amount = this.convert(entry.amount, currency, CURRENCIES[account], date);
      this.move(account, kind === 'incomes' ? amount : -amount, entry);
      if (!entry.isEnteredLate) await this.enter(entry, {});
    }
  }

  private async enterYesterday(): Promise<void> {
    const yesterday = plusDays(this.today, -1);
    const late = this.planned.filter(({ realDay }) => realDay === yesterday);
    const at = `${yesterday}T12:00:00-06:00`;
    for (const entry of late) {
      const time = entry.kind === 'incomes' ? { received_at: at } : { paid_at: at };
      await this.enter(entry, time);
    }
  }

  private async enter(entry: Planned, time: object): Promise<void> {
    const { kind, id, cycleId, amount } = entry;
    const state = kind === 'incomes' ? { received: true } : { paid: true };
    const body = { amount: money(amount), ...state, ...time };
    await this.user.put(`/cycles/${cycleId}/${kind}/${id}`, body).expect(200);
    this.planned = this.planned.filter((one) => one !== entry);
    this.unentered = this.unentered.filter((one) => one.entry !== entry);
  }

  /** On two evenings of a week; half of the dinners are never entered. */
  private async dine(): Promise<void> {
    const { weekday } = dayAt(dayNumber(this.today));
    if (weekday !== 2 && weekday !== 5) return;
    const account = this.numbers.next(3) === 0 ? 'dollars' : 'cash';
    const amount =
      BigInt(account === 'dollars' ? 2_000 : 22_000) + BigInt(this.numbers.next(5_000));
    this.move(account, -amount);
    if (this.numbers.next(2) === 0) {
      const currency = CURRENCIES[account];
      this.forgotten += this.convert(amount, currency, 'USD', this.today);
      return;
    }
    const cycleId = this.currentCycle.id;
    const { id } = await this.user.createExpense(cycleId, {
      ...{ payment_method_id: this.ids.get(account), currency: CURRENCIES[account] },
      ...{ amount: money(amount), due_date: this.today },
    });
    await this.user.put(`/cycles/${cycleId}/expenses/${id}`, { paid: true }).expect(200);
    this.unentered.pop();
  }
}
