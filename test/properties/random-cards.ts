/** The sending of random requests of a household with cards. */
import type { Response } from 'supertest';
import { cents, money } from '../model/cents.js';
import { without } from '../model/views.js';
import { cardsOf, statementsOf, type Card, type Statement } from '../support/cards-model.js';
import { plusDays } from '../support/forecast-periods.js';
import type { HoldingsHousehold } from '../support/holdings-model.js';
import { closingBefore, closingFrom, type StatementDays } from '../support/statement-dates.js';
import { RandomYear } from './random-balances.js';
import type {
  CardStep,
  CardYearPlan,
  OwnStep,
  RandomCard,
  StatementStep,
} from './random-card-steps.js';

/** A request about a statement, with what it is about. */
export interface StatementRequest {
  statement: Statement;
  body: {
    stated_amount?: string | null;
    due_date?: string | null;
    paid?: boolean;
    paid_at?: string;
    paid_amount?: string;
  };
}

const CARDS = [
  { name: 'Credit', default_currency: 'USD' },
  { name: 'Tarjeta', default_currency: 'MXN' },
] as const;

const pick = <T>(list: readonly T[], index: number): T | undefined =>
  list[index % Math.max(list.length, 1)];

/** The closing that is so many before the first one from a day on; later ones are negative. */
function closingOf(days: StatementDays, today: string, closings: number): string {
  let closing = closingFrom(days, today);
  for (let n = 0; n < closings; n += 1) closing = closingBefore(days, closing);
  for (let n = 0; n > closings; n -= 1) closing = closingFrom(days, plusDays(closing, 1));
  return closing;
}

export class CardYear extends RandomYear {
  async beginWithCards({ order, cards, purchases }: CardYearPlan): Promise<void> {
    await this.begin(order);
    for (const [index, card] of cards.entries()) await this.createCard(index, card);
    const { methods } = await this.read();
    const common = { category: 'variable', ...(await this.budget()) };
    for (const { id: payment_method_id, name } of cardsOf(await this.read())) {
      const monthly = { recurrence_type: 'monthly', recurrence_config: { day_of_month: 14 } };
      const currency = name === 'Credit' ? 'MXN' : 'USD';
      const body = { ...monthly, ...common, currency, base_amount: '7.35', payment_method_id };
      await this.user.createTemplate({ ...body, description: `Plan of ${name}` });
    }
    const every17 = { recurrence_type: 'bi_weekly', recurrence_config: { interval_days: 17 } };
    await this.user.createTemplate({ ...every17, payment_method_id: methods[0]?.id });
    const credit = { base_amount: '5.25', payment_method_id: methods[5]?.id ?? null };
    await this.user.createIncomeTemplate({ ...every17, ...credit });
    for (const [index, purchase] of purchases.entries()) {
      await this.takeOwn({
        kind: 'purchase',
        entries: 'expenses',
        card: index,
        cycle: index,
        ...purchase,
      });
    }
    // What makes them cards is never taken back.
    this.operations.length = 0;
  }

  /** Sends the request of a step, where there is something to which it applies. */
  async takeCardStep(step: CardStep): Promise<Response | undefined> {
    if ('own' in step) return this.takeOwn(step.own);
    const { other } = step;
    if (other.kind === 'edit method' && 'default_currency' in other.fields) {
      const { methods } = await this.read();
      // What is stored of its statements is in the currency that it has.
      if (pick(methods, other.index)?.closing_day !== null) return undefined;
    }
    return this.take(other);
  }

  /** The request of a step about a statement; undefined: there is no card. */
  requestOf(
    household: HoldingsHousehold,
    { card: index, back, body }: StatementStep,
  ): StatementRequest | undefined {
    const card = pick(cardsOf(household), index);
    if (!card) return undefined;
    const until = closingFrom(card, plusDays(closingFrom(card, household.today), 1));
    const statement = statementsOf(household, card, until)
      .filter(({ closing }) => closing <= until)
      .at(-1 - back);
    if (!statement) return undefined;
    const { due, at, part, ...fields } = {
      due: undefined,
      at: undefined,
      part: undefined,
      ...body,
    };
    const { amount, closing } = statement;
    const request: StatementRequest['body'] = fields;
    if (due !== undefined) request.due_date = plusDays(closing, due);
    if (at !== undefined) request.paid_at = this.instantOf(household, at);
    if (part !== undefined)
      request.paid_amount = money(((amount < 0n ? 0n : amount) * BigInt(part)) / 100n);
    return { statement, body: request };
  }

  private async budget(): Promise<{ budget_id: string }> {
    return { budget_id: (await this.user.createBudget({ limit: '120.00' })).id };
  }

  private async createCard(
    index: number,
    { days, closings, autopay, paidFrom }: RandomCard,
  ): Promise<void> {
    const { methods, today } = await this.read();
    const paid_from_id =
      paidFrom === null
        ? null
        : pick(
            methods.filter((one) => one.closing_day === null && one.method_type !== 'credit'),
            paidFrom,
          )?.id;
    const members = {
      ...days,
      autopay,
      paid_from_id,
      ...(closings !== undefined && { first_closing_date: closingOf(days, today, closings) }),
    };
    const { name, default_currency } = CARDS[index] ?? CARDS[0];
    const existing = methods.find((one) => one.name === name);
    if (existing) await this.send('put', `/payment-methods/${existing.id}`, members);
    else
      await this.send('post', '/payment-methods', {
        name,
        method_type: 'credit',
        default_currency,
        ...members,
      });
  }

  private membersOf({ methods, today }: HoldingsHousehold, card: Card, fields: object): object {
    const { closings, paidFrom, ...others } = fields as {
      closings?: number;
      paidFrom?: number | null;
    };
    return {
      ...others,
      ...(closings !== undefined && { first_closing_date: closingOf(card, today, closings) }),
      ...(paidFrom !== undefined && {
        paid_from_id: paidFrom === null ? null : pick(methods, paidFrom)?.id,
      }),
    };
  }

  private async takeOwn(step: OwnStep): Promise<Response | undefined> {
    const household = await this.read();
    const { cycles, entries, methods, today } = household;
    const open = cycles.filter(({ status }) => status !== 'completed');
    switch (step.kind) {
      case 'purchase': {
        const cycle = pick(open, step.cycle);
        const card = pick(cardsOf(household), step.card);
        if (!cycle || !card) return undefined;
        const { entries: kind, currency, amount, distance } = step;
        const body = { description: 'Purchase', currency, amount, payment_method_id: card.id };
        const date = plusDays(today, distance);
        const dated =
          kind === 'incomes' ? { income_date: date } : { due_date: date, category: 'variable' };
        return this.send('post', `/cycles/${cycle.id}/${kind}`, { ...body, ...dated });
      }
      case 'statement': {
        const request = this.requestOf(household, step);
        if (!request) return undefined;
        const { card, closing } = request.statement;
        return this.send('put', `/payment-methods/${card.id}/statements/${closing}`, request.body);
      }
      case 'members': {
        const card = pick(cardsOf(household), step.card);
        return (
          card &&
          this.send(
            'put',
            `/payment-methods/${card.id}`,
            this.membersOf(household, card, step.fields),
          )
        );
      }
      case 'carry over': {
        const from = pick(open, step.from);
        const to = pick(open, step.to);
        if (!from || !to) return undefined;
        const own = entries.filter(
          (one) =>
            one.cycle_id === from.id &&
            one.entity_type === 'cycle_expense' &&
            !one.settled &&
            !one.cancelled,
        );
        const id = pick(own, step.index)?.id;
        const body = {
          to_cycle_id: to.id,
          ...(step.hasIds && id !== undefined && { expense_ids: [id] }),
        };
        return this.send('post', `/cycles/${from.id}/carry-over`, body);
      }
      case 'next cycle': {
        const next = await this.user.read<Record<string, unknown>>('/cycles/next');
        return this.send('post', '/cycles', without(next, 'follows'));
      }
      case 'complete': {
        const ended = open.filter(({ end_date }) => end_date < today);
        const cycle = pick(ended.length > 0 ? ended : open, step.cycle);
        return cycle && this.send('put', `/cycles/${cycle.id}`, { status: 'completed' });
      }
      case 'state': {
        const balances = methods.flatMap(
          ({ id: payment_method_id, closing_day, active }, index) => {
            const amount = step.amounts[index];
            return closing_day === null && active && amount ? [{ payment_method_id, amount }] : [];
          },
        );
        const stated_at = this.instantOf(household, step.at);
        return this.send('post', '/balances', { balances, stated_at });
      }
    }
  }
}

/** The amount that is stored with a payment. */
export function amountPaid({ statement, body }: StatementRequest): string {
  const { stored, amount } = statement;
  if (stored?.amount) return money(cents(stored.amount));
  return (
    body.stated_amount ??
    money(body.stated_amount === null ? statement.total + statement.carried : amount)
  );
}
