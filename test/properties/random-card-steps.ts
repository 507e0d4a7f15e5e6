/** Random cards, and what happens to them. */
import fc from 'fast-check';
import { money } from '../model/cents.js';
import type { StatementDays } from '../support/statement-dates.js';
import { anyInstant, anyStep, type Step } from './random-balances.js';

const MINUTES_OF_DAY = 1_440;

const anyIndex = fc.nat({ max: 99 });
const anyCurrency = fc.constantFrom<'USD' | 'MXN'>('USD', 'MXN');
const anyCents = fc.integer({ min: 100, max: 90_000 });
const anyAmount = anyCents.map((value) => money(BigInt(value)));

const anyDue = fc.oneof(
  fc.record({ due_day: fc.integer({ min: 1, max: 31 }), due_days_after: fc.constant(null) }),
  fc.record({ due_day: fc.constant(null), due_days_after: fc.integer({ min: 1, max: 60 }) }),
);

const anyDays = fc
  .record({
    closing_day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31)),
    due: anyDue,
    due_weekend_rule: fc.constantFrom<StatementDays['due_weekend_rule']>('keep', 'before', 'after'),
  })
  .map(({ due, ...days }) => ({ ...days, ...due }));

/** A card as it is created; `closings` of it are in the past, or one is left out. */
const anyCard = fc.record({
  days: anyDays,
  closings: fc.constantFrom(undefined, -1, 0, 1, 2, 5),
  autopay: fc.boolean(),
  paidFrom: fc.option(anyIndex, { nil: null, freq: 2 }),
});

const anyStatementBody = fc.oneof(
  fc.record({ stated_amount: anyAmount }),
  fc.constant({ stated_amount: null }),
  fc.record({ due: fc.integer({ min: 1, max: 90 }) }),
  fc.constant({ due_date: null }),
  { arbitrary: fc.constant({ paid: true }), weight: 3 },
  { arbitrary: fc.record({ paid: fc.constant(true), at: anyInstant }), weight: 3 },
  {
    arbitrary: fc.record({ paid: fc.constant(true), part: fc.constantFrom(0, 1, 40, 100, 130) }),
    weight: 3,
  },
  fc.record({ paid: fc.constant(true), stated_amount: anyAmount, at: anyInstant }),
  fc.constant({ paid: false }),
);

const anyOwnStep = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('purchase' as const),
      entries: fc.constantFrom('expenses' as const, 'expenses' as const, 'incomes' as const),
      card: anyIndex,
      cycle: anyIndex,
      currency: anyCurrency,
      amount: anyAmount,
      distance: fc.integer({ min: -70, max: 40 }),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('statement' as const),
      card: anyIndex,
      /** From the one after the open one to earlier ones. */
      back: fc.integer({ min: 0, max: 5 }),
      body: anyStatementBody,
    }),
    weight: 9,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('members' as const),
      card: anyIndex,
      fields: fc.oneof(
        anyDays.map(({ closing_day }) => ({ closing_day })),
        anyDue,
        anyDays,
        fc.constantFrom<object>({ due_weekend_rule: 'after' }, { autopay: true }),
        fc.constantFrom<object>({ autopay: false }, { closings: -1 }, { closings: 2 }),
        fc.record({ paidFrom: fc.option(anyIndex, { nil: null, freq: 3 }) }),
      ),
    }),
    weight: 3,
  },
  fc.record({
    kind: fc.constant('carry over' as const),
    from: anyIndex,
    to: anyIndex,
    index: anyIndex,
    hasIds: fc.boolean(),
  }),
  { arbitrary: fc.record({ kind: fc.constant('next cycle' as const) }), weight: 2 },
  {
    arbitrary: fc.record({ kind: fc.constant('complete' as const), cycle: anyIndex }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      amounts: fc.array(fc.option(anyAmount, { freq: 2 }), { minLength: 6, maxLength: 6 }),
      at: anyInstant,
    }),
    weight: 2,
  },
);

export type OwnStep = typeof anyOwnStep extends fc.Arbitrary<infer Value> ? Value : never;
export type StatementStep = Extract<OwnStep, { kind: 'statement' }>;

const isOther = (step: Step): step is Exclude<Step, { kind: 'state' }> => step.kind !== 'state';

export const anyCardYear = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
  cards: fc.array(anyCard, { minLength: 1, maxLength: 2 }),
  purchases: fc.array(
    fc.record({
      currency: anyCurrency,
      amount: anyAmount,
      distance: fc.integer({ min: -90, max: 20 }),
    }),
    { minLength: 4, maxLength: 8 },
  ),
  steps: fc.array(
    fc.record({
      /** Since the step before. */
      minutes: fc.constantFrom(0, 0, 300, MINUTES_OF_DAY, 5 * MINUTES_OF_DAY, 13 * MINUTES_OF_DAY),
      step: fc.oneof(
        { arbitrary: anyOwnStep.map((own) => ({ own })), weight: 3 },
        { arbitrary: anyStep.filter(isOther).map((other) => ({ other })), weight: 2 },
      ),
    }),
    { minLength: 10, maxLength: 18, size: 'max' },
  ),
});

export type RandomCard = typeof anyCard extends fc.Arbitrary<infer Value> ? Value : never;
export type CardYearPlan = typeof anyCardYear extends fc.Arbitrary<infer Value> ? Value : never;
export type CardStep = CardYearPlan['steps'][number]['step'];
