/** Random writes about cards, which may be refused. */
import fc from 'fast-check';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { monthDayBefore } from '../../src/payment-methods/statement-dates.js';
import { addDays, todayInUtc } from '../../src/platform/values/calendar-date.js';
import { money } from '../model/cents.js';
import type { Client } from '../support/client.js';

const anyAmount = fc.integer({ min: 1, max: 90_000 }).map((value) => money(BigInt(value)));
const anyDay = fc.integer({ min: 1, max: 31 });
const anyDate = fc.integer({ min: -60, max: 20 });

const anyDays = fc
  .record({
    closing_day: anyDay,
    due: fc.oneof(
      anyDay.map((due_day) => ({ due_day, due_days_after: null })),
      fc.integer({ min: 1, max: 60 }).map((due_days_after) => ({ due_day: null, due_days_after })),
    ),
    due_weekend_rule: fc.constantFrom('keep', 'before', 'after'),
    autopay: fc.boolean(),
  })
  .map(({ due, ...days }) => ({ ...days, ...due }));

const anyStatementBody = fc.oneof(
  fc.constantFrom<object>({ paid: true }, { paid: true, paid_amount: '0' }, { paid: false }),
  fc.constantFrom<object>({ stated_amount: null }, { due_date: null }),
  anyAmount.map((stated_amount) => ({ stated_amount })),
  anyAmount.map((paid_amount) => ({ paid: true, paid_amount })),
  fc.integer({ min: 1, max: 90 }).map((due) => ({ due })),
);

/** The numbers choose among what there is. */
export const anyCardWrite = fc.oneof(
  fc.record({ kind: fc.constant('members'), method: fc.nat(), fields: anyDays }),
  fc.record({
    kind: fc.constant('members'),
    method: fc.nat(),
    fields: fc.constantFrom<object>(
      ...[{ closing_day: null }, { active: false }, { active: true }, { default_currency: 'USD' }],
      { method_type: 'debit', closing_day: null },
    ),
  }),
  fc.record({ kind: fc.constant('paidFrom'), method: fc.nat(), from: fc.option(fc.nat()) }),
  fc.record({
    kind: fc.constantFrom('expenses', 'incomes'),
    ...{ method: fc.nat(), currency: fc.constantFrom('USD', 'MXN') },
    ...{ amount: anyAmount, date: anyDate },
  }),
  fc.record({
    kind: fc.constant('statement'),
    ...{ method: fc.nat(), index: fc.nat({ max: 5 }), body: anyStatementBody },
  }),
  fc.record({ kind: fc.constant('undo'), method: fc.nat() }),
);

type CardWrite = typeof anyCardWrite extends fc.Arbitrary<infer Value> ? Value : never;

/** A credit card without statements, and two with statements since three months ago. */
export async function createCards(user: Client): Promise<void> {
  await user.createPaymentMethod({ method_type: 'credit' });
  for (const default_currency of ['USD', 'MXN']) {
    const first_closing_date = monthDayBefore(addDays(todayInUtc(), -90), 12);
    await user.createCard({ default_currency, first_closing_date });
  }
  const start_date = addDays(todayInUtc(), -30);
  await user.createCycle({
    ...{ start_date, end_date: addDays(start_date, 40), generate_from_templates: false },
  });
}

/** Sends a write about cards. */
export async function writeCard(user: Client, write: CardWrite): Promise<void> {
  const methods = await user.read<PaymentMethodResponse[]>('/payment-methods');
  const method = methods[write.method % methods.length];
  if (!method) return;
  const path = `/payment-methods/${method.id}`;
  switch (write.kind) {
    case 'members':
      await user.put(path, write.fields);
      return;
    case 'paidFrom': {
      const from = write.from === null ? null : methods[write.from % methods.length];
      await user.put(path, { paid_from_id: from?.id ?? null });
      return;
    }
    case 'expenses':
    case 'incomes': {
      const { amount, currency, kind } = write;
      const { cycles } = await user.read<{ cycles: { id: string }[] }>('/cycles');
      const date = addDays(todayInUtc(), write.date);
      const entry = { description: 'Entry', amount, currency, payment_method_id: method.id };
      await user.post(`/cycles/${cycles[0]?.id}/${kind}`, {
        ...entry,
        ...(kind === 'expenses' ? { due_date: date, category: 'fixed' } : { income_date: date }),
      });
      return;
    }
    case 'statement': {
      const statements = await user.statements(method.id);
      const closing = statements[write.index % statements.length]?.closing_date;
      if (closing === undefined) return;
      const { due, ...body } = write.body as { due?: number };
      const due_date = due === undefined ? {} : { due_date: addDays(closing, due) };
      await user.put(`${path}/statements/${closing}`, { ...body, ...due_date });
      return;
    }
    case 'undo': {
      const { id } = await user.lastRecord('payment_method', method.id);
      await user.post(`/activity/${id}/undo`);
    }
  }
}
