/**
 * The accounts and cards of a household, its cycles and balances: what a life by two cards needs of
 * the service, beside what there really is.
 */
import { expect } from '@jest/globals';
import { cents, money, type Cents } from '../model/cents.js';
import { CardBook } from './card-book.js';
import { occurrencesOf, TEMPLATES, type Occurrence, type Template } from './card-year-plan.js';
import type { Client } from './client.js';
import { setTime } from './clock.js';
import { converted } from './conversion-model.js';
import { dayAt, dayNumber } from './due-days.js';
import { plusDays } from './forecast-periods.js';
import type { Service } from './service.js';
import type { Currency, StoredRate } from './stored-household.js';

export const FIRST_DAY = '2026-01-01';
export const LAST_DAY = '2026-12-31';

const INITIAL = { nomina: cents('60000.00'), checking: cents('2500.00') };

/** Always the same numbers, so that every run is the same year. */
class Numbers {
  private state = 20_260_101;

  /** At least 0, below the limit. */
  next(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.state / 2_147_483_648) * limit);
  }
}

export interface Cycle {
  id: string;
  start_date: string;
  end_date: string;
}

/** A bill or an income of an account that is stored and not settled. */
export interface Planned extends Occurrence {
  id: string;
  cycleId: string;
  amount_usd: Cents;
}

export type CardName = 'azul' | 'gold';

const isWeekend = (date: string): boolean => [0, 6].includes(dayAt(dayNumber(date)).weekday);

/** The 2nd of the next month, or the Monday after it. */
function secondOfNextMonth(closing: string): string {
  let due = plusDays(closing, 1);
  while (!due.endsWith('-02')) due = plusDays(due, 1);
  while (isWeekend(due)) due = plusDays(due, 1);
  return due;
}

export class CardYearAccounts {
  today = FIRST_DAY;
  user!: Client;
  readonly real = { ...INITIAL };
  /** What left the accounts for cards, in their currencies. */
  readonly left = { azul: 0n, gold: 0n };
  readonly rates: StoredRate[] = [
    { from_currency: 'MXN', to_currency: 'USD', rate: '0.050000', rate_date: '2025-01-01' },
  ];
  readonly cards: Readonly<Record<CardName, CardBook>> = {
    azul: new CardBook('MXN', '12', '2025-12-12', secondOfNextMonth, this.rates),
    gold: new CardBook('USD', '25', '2025-12-25', (closing) => plusDays(closing, 20), this.rates),
  };
  readonly ids = new Map<string, string>();
  /** What the plan says has happened, in USD, with what the current cycle began with. */
  planned = 0n;
  /** With what the cycle that begins today begins. */
  begunToday = 0n;
  protected cycle!: Cycle;
  protected previous: Cycle | undefined;
  protected open: Planned[] = [];
  protected readonly numbers = new Numbers();

  /** @param statesBalances else the plan says what there is */
  constructor(
    protected readonly service: Service,
    protected readonly statesBalances: boolean,
  ) {}

  /** Everything until the first evening. */
  async begin(): Promise<void> {
    this.at('07:00');
    this.user = await this.service.signUp({
      ...{ time_zone: 'America/Mexico_City', next_income_amount: 'zero' },
    });
    await this.createMethods();
    for (const template of TEMPLATES) await this.createTemplate(template);
    this.planned = this.totalReal;
    this.begunToday = this.planned;
    const income_amount = money(this.planned);
    await this.createCycle({ start_date: FIRST_DAY, end_date: '2026-01-15', income_amount });
    if (this.statesBalances) await this.stateBalances();
  }

  /** The sum in USD: pesos at today's rate, converted once. */
  get totalReal(): Cents {
    return this.real.checking + this.usdAt(this.real.nomina, 'MXN', this.today);
  }

  protected at(time: string): void {
    setTime(new Date(`${this.today}T${time}:00-06:00`).toISOString());
  }

  protected usdAt(amount: Cents, from: Currency, date: string): Cents {
    return converted(this.rates, { amount, from, to: 'USD', date });
  }

  protected async publishRate(): Promise<void> {
    const rate = `0.0${52_000 + this.numbers.next(9_000)}`;
    this.rates.push({ from_currency: 'MXN', to_currency: 'USD', rate, rate_date: this.today });
    await this.service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', $1, $2)
       ON CONFLICT (from_currency, to_currency, rate_date) DO UPDATE SET rate = excluded.rate`,
      [rate, this.today],
    );
  }

  protected async createMethods(): Promise<void> {
    const create = async (name: string, body: Record<string, unknown>): Promise<void> => {
      this.ids.set(name, (await this.user.createPaymentMethod({ name, ...body })).id);
    };
    await create('nomina', { method_type: 'debit', default_currency: 'MXN' });
    await create('checking', { method_type: 'debit', default_currency: 'USD' });
    await create('azul', {
      ...{ method_type: 'credit', default_currency: 'MXN', closing_day: 12, due_day: 2 },
      // Paid from the main one.
      due_weekend_rule: 'after',
    });
    await create('gold', {
      ...{ method_type: 'credit', default_currency: 'USD', closing_day: 25, due_days_after: 20 },
      ...{ autopay: true, paid_from_id: this.ids.get('checking') },
    });
  }

  protected async createTemplate(template: Template): Promise<void> {
    const { description, currency, amount, day, account, isIncome } = template;
    const body = {
      ...{ description, currency, base_amount: amount, recurrence_type: 'monthly' },
      recurrence_config: { day_of_month: day, handle_month_end: true },
      ...{ weekend_rule: 'before', payment_method_id: this.ids.get(account) },
    };
    if (isIncome) await this.user.createIncomeTemplate(body);
    else await this.user.createTemplate(body);
  }

  protected async createCycle(body: {
    start_date: string;
    end_date: string;
    income_amount: string;
  }): Promise<void> {
    const cycle = (await this.user.createCycle(body)) as Cycle;
    this.previous = this.today === FIRST_DAY ? undefined : this.cycle;
    this.cycle = cycle;
    await this.user.put(`/cycles/${cycle.id}`, { status: 'active' }).expect(200);
    const { expenses } = await this.user.expenses(cycle.id);
    const { incomes } = await this.user.incomes(cycle.id);
    for (const template of TEMPLATES) {
      for (const one of occurrencesOf(template, cycle.start_date, cycle.end_date)) {
        const amount_usd = this.usdAt(one.amount, one.currency, one.date);
        const isThis = (entry: { description: string }): boolean =>
          entry.description === one.description;
        const id = (one.isIncome ? incomes : expenses).find(isThis)?.id ?? '';
        const planned = { ...one, id, cycleId: cycle.id, amount_usd };
        if (one.card === null) this.open.push(planned);
        else this.cards[one.card].purchases.push({ ...planned, isEntered: true });
      }
    }
  }

  /** Completes the cycle before, whose rest the new one begins with unless balances say it. */
  protected async closePrevious(): Promise<void> {
    const { previous } = this;
    if (!previous) return;
    const path = `/cycles/${previous.id}/close`;
    const { left_over } = await this.user.read<{ left_over: string }>(path);
    if (!this.statesBalances) {
      expect({ today: this.today, left_over }).toEqual({
        ...{ today: this.today, left_over: money(this.planned) },
      });
      await this.user.put(`/cycles/${this.cycle.id}`, { income_amount: left_over }).expect(200);
      this.begunToday = cents(left_over);
    }
    const response = await this.user.post(path, { to_cycle_id: this.cycle.id }).expect(200);
    // Purchases by card stay where they are.
    expect(response.body).toMatchObject({ moved: [], moved_incomes: [], left_over });
  }

  protected async stateBalances(): Promise<void> {
    const accounts = ['nomina', 'checking'] as const;
    const balances = accounts.map((account) => ({
      ...{ payment_method_id: this.ids.get(account), amount: money(this.real[account]) },
    }));
    const response = await this.user.post('/balances', { balances }).expect(201);
    const { balances: stated } = response.body as { balances: { difference: string | null }[] };
    const difference = this.today === FIRST_DAY ? null : '0.00';
    expect(stated.map((one) => one.difference)).toEqual([difference, difference]);
  }

  protected async putStatement(closing: string, body: object): Promise<void> {
    const id = this.ids.get('azul') ?? '';
    await this.user.put(`/payment-methods/${id}/statements/${closing}`, body).expect(200);
  }
}
