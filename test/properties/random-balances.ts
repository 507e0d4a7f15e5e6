/** Random requests of a household that states balances, and the sending of them. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { money } from '../model/cents.js';
import { operationOf, type Client, type Method } from '../support/client.js';
import { setTime } from '../support/clock.js';
import { plusDays } from '../support/forecast-periods.js';
import { readHoldings } from '../support/holdings-data.js';
import type { HoldingsHousehold } from '../support/holdings-model.js';
import type { Service } from '../support/service.js';
import { dayOf } from '../support/stored-household.js';

const START = Date.parse('2026-03-10T15:00:00Z');
const MINUTE_MS = 60_000;

const anyAmount = fc.integer({ min: 100, max: 300_000 }).map((value) => money(BigInt(value)));
const anySignedAmount = fc
  .integer({ min: -100_000, max: 1_000_000 })
  .map((value) => money(BigInt(value)));
const anyCurrency = fc.constantFrom<'USD' | 'MXN'>('USD', 'MXN');
const anyIndex = fc.nat({ max: 99 });
/** Days from today. */
const anyDistance = fc.integer({ min: -50, max: 20 });

/** Undefined in a request: now. */
export const anyInstant = fc.oneof(
  { arbitrary: fc.constant({ kind: 'now' as const }), weight: 3 },
  fc.record({ kind: fc.constant('before' as const), minutes: fc.integer({ min: 1, max: 40_000 }) }),
  // Equal instants of a balance and a payment.
  {
    arbitrary: fc.record({ kind: fc.constant('same' as const), index: fc.nat({ max: 4 }) }),
    weight: 3,
  },
  fc.record({ kind: fc.constant('after' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
);

type Instant = typeof anyInstant extends fc.Arbitrary<infer Value> ? Value : never;

const ENTRY_KINDS = ['expenses', 'expenses', 'incomes'] as const;

export const anyStep = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      amounts: fc.array(fc.option(anySignedAmount, { freq: 2 }), { minLength: 5, maxLength: 5 }),
      at: anyInstant,
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('settle' as const), index: anyIndex, at: anyInstant }),
    weight: 8,
  },
  fc.record({ kind: fc.constant('unsettle' as const), index: anyIndex }),
  {
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      entries: fc.constantFrom(...ENTRY_KINDS),
      cycle: anyIndex,
      method: anyIndex,
      currency: anyCurrency,
      amount: anyAmount,
      distance: anyDistance,
    }),
    weight: 5,
  },
  fc.record({
    kind: fc.constant('edit' as const),
    index: anyIndex,
    fields: fc.record(
      { amount: anyAmount, currency: anyCurrency, distance: anyDistance, method: anyIndex },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    kind: fc.constantFrom('delete entry' as const, 'delete balance' as const, 'undo' as const),
    index: anyIndex,
  }),
  fc.record({
    kind: fc.constant('undo' as const),
    index: fc.nat({ max: 2 }),
  }),
  fc.record({
    kind: fc.constant('create cycle' as const),
    distance: anyDistance,
    length: fc.integer({ min: 1, max: 45 }),
    income_amount: fc.constantFrom('0.00', '1500.00', '123.45'),
    side: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('edit cycle' as const),
    index: anyIndex,
    fields: fc.constantFrom<object>(
      { income_amount: '777.77' },
      { status: 'active' },
      { status: 'completed' },
      { side: true },
    ),
  }),
  fc.record({
    kind: fc.constantFrom('close cycle' as const, 'delete cycle' as const),
    index: anyIndex,
  }),
  fc.record({
    kind: fc.constant('edit method' as const),
    index: anyIndex,
    fields: fc.constantFrom<object>(
      { active: false },
      { active: false },
      { active: true },
      { active: true },
      { default_currency: 'USD' },
      { default_currency: 'MXN' },
      { method_type: 'debit' },
      { method_type: 'cash' },
      { method_type: 'credit' },
    ),
  }),
  fc.record({
    kind: fc.constant('edit user' as const),
    fields: fc.constantFrom<object>(
      { time_zone: 'America/Mexico_City' },
      { time_zone: 'Asia/Tokyo' },
      { next_income_amount: 'zero' },
      { next_income_amount: 'same' },
    ),
  }),
  fc.record({
    kind: fc.constant('rate' as const),
    from: anyCurrency,
    micros: fc.integer({ min: 100_000, max: 999_999 }),
    // Often both directions of one date.
    distance: fc.integer({ min: -6, max: 1 }).map((weeks) => 7 * weeks),
  }),
);

export type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

const anyQuery = fc.record(
  {
    currency: anyCurrency,
    method: fc.nat({ max: 5 }),
    opening_balance: fc.constant('-150.50'),
  },
  { requiredKeys: [] },
);

export const anyYear = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  steps: fc.array(
    fc.record({
      /** Since the step before. */
      minutes: fc.constantFrom(0, 0, 7, 300, 1_440),
      step: anyStep,
      query: anyQuery,
    }),
    { minLength: 15, maxLength: 30, size: 'max' },
  ),
});

const METHODS = [
  { name: 'Dollars', method_type: 'debit', default_currency: 'USD' },
  { name: 'Pesos', method_type: 'debit', default_currency: 'MXN' },
  { name: 'Cash', method_type: 'cash', default_currency: 'MXN' },
  { name: 'Credit', method_type: 'credit', default_currency: 'USD' },
  { name: 'Transfer', method_type: 'transfer', default_currency: 'USD' },
] as const;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A household to which random things happen, and the story of its requests. */
export class RandomYear {
  now = START;
  user!: Client;
  readonly story: string[] = [];
  protected readonly operations: string[] = [];
  private readonly aliases = new Map<string, string>();

  constructor(private readonly service: Service) {}

  async begin(order: readonly number[]): Promise<void> {
    setTime(new Date(this.now).toISOString());
    await this.service.query('DELETE FROM exchange_rates');
    await this.publish('MXN', 500_000, '2025-01-01');
    const signedUp = await this.service.signUp({ time_zone: 'America/Mexico_City' });
    this.user = await signedUp.script({ access: 'write', expires_in_days: 365 });
    for (const index of order) {
      const { id, name } = await this.user.createPaymentMethod({ ...METHODS[index] });
      this.aliases.set(id, name);
    }
    const { today } = await this.read();
    const dates = { start_date: plusDays(today, -60), end_date: plusDays(today, -31) };
    const common = { generate_from_templates: false, income_amount: '1500.00' };
    for (const period of [
      dates,
      { start_date: plusDays(today, -30), end_date: plusDays(today, -3) },
    ]) {
      await this.send('post', '/cycles', { ...common, ...period, name: period.start_date });
    }
    const { cycles, methods } = await this.read();
    const cycle = `/cycles/${cycles.at(-1)?.id}`;
    const entry = { description: 'Entry', amount: '100.55' };
    for (const [index, { id: payment_method_id }] of methods.entries()) {
      const currency = index % 2 === 0 ? 'USD' : 'MXN';
      const body = { ...entry, currency, payment_method_id, category: 'fixed' };
      await this.send('post', `${cycle}/expenses`, { ...body, due_date: today });
    }
    for (const currency of ['USD', 'MXN']) {
      await this.send('post', `${cycle}/incomes`, { ...entry, currency, income_date: today });
    }
  }

  /** What is stored now. */
  read(): Promise<HoldingsHousehold> {
    return readHoldings(this.service, this.user, (timeZone) => dayOf(this.now, timeZone));
  }

  /** The text with names in place of ids. */
  readable(text: string): string {
    return text.replaceAll(UUID, (id) => {
      const alias = this.aliases.get(id) ?? `#${this.aliases.size}`;
      this.aliases.set(id, alias);
      return alias;
    });
  }

  async send(method: Method, path: string, body?: object): Promise<Response> {
    const response = await this.user.send(method, path).send(body);
    const { status } = response;
    const line = `${method.toUpperCase()} ${path} ${body ? JSON.stringify(body) : ''} -> ${status}`;
    const created = (response.body as { id?: string } | undefined)?.id;
    this.note(created && method === 'post' ? `${line} ${created}` : line);
    expect(status).toBeLessThan(500);
    const operation = operationOf(response);
    if (operation !== undefined && !path.endsWith('/undo')) this.operations.push(operation);
    return response;
  }

  note(line: string): void {
    this.story.push(`${new Date(this.now).toISOString()} ${this.readable(line)}`);
  }

  pass(minutes: number): void {
    this.now += minutes * MINUTE_MS;
    setTime(new Date(this.now).toISOString());
  }

  /** An instant as a request has it; undefined: now. */
  instantOf({ balances, entries }: HoldingsHousehold, instant: Instant): string | undefined {
    if (instant.kind === 'now') return undefined;
    if (instant.kind !== 'same') {
      const distance = instant.minutes * MINUTE_MS * (instant.kind === 'before' ? -1 : 1);
      return new Date(this.now + distance).toISOString();
    }
    const known = [
      ...balances.map(({ stated_at }) => stated_at),
      ...entries.flatMap(({ settled_at }) => settled_at ?? []),
    ].sort((a, b) => b - a);
    const found = known[instant.index % Math.max(known.length, 1)];
    return found === undefined ? undefined : new Date(found).toISOString();
  }

  /** Sends the request of a step, where there is something to which it applies. */
  async take(step: Exclude<Step, { kind: 'state' }>): Promise<Response | undefined> {
    const household = await this.read();
    const { cycles, entries, balances, methods, today } = household;
    const pick = <T>(list: readonly T[], index: number): T | undefined =>
      list[index % Math.max(list.length, 1)];
    const entryPath = (entry: HoldingsHousehold['entries'][number] | undefined): string =>
      entry
        ? `/cycles/${entry.cycle_id}/${entry.entity_type === 'cycle_income' ? 'incomes' : 'expenses'}/${entry.id}`
        : '';
    switch (step.kind) {
      case 'settle': {
        const entry = pick(entries, step.index);
        if (!entry) return undefined;
        const at = this.instantOf(household, step.at);
        const body =
          entry.entity_type === 'cycle_income'
            ? { received: true, received_at: at }
            : { paid: true, paid_at: at };
        return this.send('put', entryPath(entry), body);
      }
      case 'unsettle': {
        const entry = pick(
          entries.filter(({ settled }) => settled),
          step.index,
        );
        if (!entry) return undefined;
        const isIncome = entry.entity_type === 'cycle_income';
        return this.send('put', entryPath(entry), isIncome ? { received: false } : { paid: false });
      }
      case 'add': {
        const open = cycles.filter(({ status }) => status !== 'completed');
        const cycle = pick(open, step.cycle);
        if (!cycle) return undefined;
        const { entries: kind, currency, amount, distance, method } = step;
        // One index more than there are: none, which an expense cannot have.
        const payment_method_id =
          methods[method % (methods.length + (kind === 'incomes' ? 1 : 0))]?.id ?? null;
        const date = plusDays(today, distance);
        const body = { description: 'Entry', currency, amount, payment_method_id };
        return this.send(
          'post',
          `/cycles/${cycle.id}/${kind}`,
          kind === 'incomes'
            ? { ...body, income_date: date }
            : { ...body, due_date: date, category: 'variable' },
        );
      }
      case 'edit': {
        const entry = pick(entries, step.index);
        if (!entry) return undefined;
        const { distance, method, ...fields } = step.fields;
        const name = entry.entity_type === 'cycle_income' ? 'income_date' : 'due_date';
        return this.send('put', entryPath(entry), {
          ...fields,
          ...(distance !== undefined && { [name]: plusDays(today, distance) }),
          ...(method !== undefined && { payment_method_id: pick(methods, method)?.id }),
        });
      }
      case 'delete entry': {
        const entry = pick(entries, step.index);
        return entry && this.send('delete', entryPath(entry));
      }
      case 'delete balance': {
        const balance = pick(balances, step.index);
        return balance && this.send('delete', `/balances/${balance.id}`);
      }
      case 'undo': {
        const operation = pick(this.operations.toReversed(), step.index);
        return operation === undefined
          ? undefined
          : this.send('post', `/activity/operations/${operation}/undo`);
      }
      case 'create cycle': {
        const start_date = plusDays(today, step.distance);
        const { income_amount, side, length } = step;
        const name = `${cycles.length}.${this.story.length}`;
        const days = { start_date, end_date: plusDays(start_date, length) };
        const body = { name, ...days, income_amount, side, generate_from_templates: false };
        return this.send('post', '/cycles', body);
      }
      case 'edit cycle': {
        const cycle = pick(cycles, step.index);
        return cycle && this.send('put', `/cycles/${cycle.id}`, step.fields);
      }
      case 'close cycle': {
        const cycle = pick(cycles, step.index);
        return cycle && this.send('post', `/cycles/${cycle.id}/close`, { leave_open: true });
      }
      case 'delete cycle': {
        const cycle = pick(cycles, step.index);
        return cycle && this.send('delete', `/cycles/${cycle.id}`);
      }
      case 'edit method': {
        const method = pick(methods, step.index);
        return method && this.send('put', `/payment-methods/${method.id}`, step.fields);
      }
      case 'edit user': {
        // A token of a script may not change the user.
        const script = this.user;
        this.user = await this.service.signIn(script.email);
        const response = await this.send('put', '/auth/me', step.fields);
        this.user = script;
        return response;
      }
      case 'rate': {
        await this.publish(step.from, step.micros, plusDays(today, step.distance));
        return undefined;
      }
    }
  }

  private async publish(from: 'USD' | 'MXN', micros: number, date: string): Promise<void> {
    const to = from === 'USD' ? 'MXN' : 'USD';
    const rate = from === 'USD' ? `${15 + (micros % 7)}.${micros}` : `0.0${micros}`.slice(0, 8);
    this.note(`the rate of ${from} on ${date} is ${rate}`);
    await this.service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (from_currency, to_currency, rate_date) DO UPDATE SET rate = excluded.rate`,
      [from, to, rate, date],
    );
  }
}
