import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import fc from 'fast-check';
import { convert } from '../../src/exchange-rates/conversion.js';
import type { JsonValue, Snapshot } from '../../src/records/record-fields.js';
import { STORED_KINDS } from '../../src/records/record-kinds.js';
import { STORED_TYPES, type StoredType } from '../../src/records/record-types.js';
import type { HouseholdRecord } from '../../src/records/stored-record.js';
import { longRuns } from '../support/repetitions.js';
import { anyRule } from './random-plans.js';

const anyMoney = fc.integer({ min: 100, max: 99_999_999 }).map((cents) => money(new Big(cents)));
/** After every other date. */
const LAST_DATE = '2090-01-02';
const anyDate = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anyInstant = fc
  .date({ min: new Date(0), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const anyText = fc.string({ minLength: 1, maxLength: 40 });
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value);

/** The values of each field; the fields that depend on others are set by {@link consistent}. */
const VALUES: Record<string, fc.Arbitrary<JsonValue>> = {
  id: fc.uuid(),
  name: anyText,
  method_type: fc.constantFrom('debit', 'credit', 'cash', 'transfer'),
  default_currency: fc.constantFrom('USD', 'MXN'),
  closing_day: orNull(fc.integer({ min: 1, max: 31 })),
  due_day: fc.integer({ min: 1, max: 31 }),
  due_days_after: orNull(fc.integer({ min: 1, max: 60 })),
  due_weekend_rule: fc.constantFrom('keep', 'before', 'after'),
  first_closing_date: anyDate,
  autopay: fc.boolean(),
  paid_from_id: orNull(fc.uuid()),
  from: anyDate,
  closing_date: anyDate,
  stated_amount: orNull(anyMoney),
  paid_amount: orNull(anyMoney),
  limit: orNull(anyMoney),
  description: anyText,
  currency: fc.constantFrom('USD', 'MXN'),
  base_amount: anyMoney,
  amount_changes: fc.array(fc.record({ from: anyDate, amount: anyMoney }), { maxLength: 3 }),
  last_amount: orNull(anyMoney),
  amount: anyMoney,
  amount_usd: anyMoney,
  exchange_rate: fc.record({ rate: fc.constantFrom('0.050000', '17.200000'), rate_date: anyDate }),
  recurrence_type: fc.constant('monthly'),
  recurrence_config: fc.constant({}),
  reference_date: anyDate,
  starts_on: orNull(anyDate),
  ends_on: orNull(fc.constant(LAST_DATE)),
  skipped_dates: fc.array(anyDate, { maxLength: 3 }),
  weekend_rule: fc.constantFrom('keep', 'before', 'after'),
  payment_method_id: fc.uuid(),
  template_id: orNull(fc.uuid()),
  budget_id: orNull(fc.uuid()),
  category: fc.constantFrom('fixed', 'variable'),
  autopay_info: orNull(anyText),
  comments: orNull(anyText),
  occurrence_date: orNull(anyDate),
  instalment: orNull(fc.record({ number: fc.nat(), count: fc.nat() })),
  due_date: anyDate,
  income_date: anyDate,
  status: fc.constantFrom('pending', 'paid', 'cancelled'),
  paid: fc.boolean(),
  paid_at: orNull(anyInstant),
  received: fc.boolean(),
  received_at: orNull(anyInstant),
  start_date: anyDate,
  end_date: anyDate,
  income_amount: anyMoney,
  budget_limits: fc.array(fc.record({ budget_id: fc.uuid(), limit: anyMoney }), { maxLength: 3 }),
  side: fc.boolean(),
  stated_at: anyInstant,
  expected: orNull(anyMoney),
  active: fc.boolean(),
  created_at: anyInstant,
  updated_at: anyInstant,
};

function money(cents: Big): string {
  return cents.div(100).toFixed(2);
}

/**
 * Makes a recurrence fit its type, a last amount one of a template that ends, the members of cards
 * fit each other, and an amount in USD the conversion of the amount.
 */
function consistent(values: Snapshot, rule: Snapshot): Snapshot {
  if ('recurrence_type' in values) {
    const { ends_on, last_amount = null } = values;
    return { ...values, ...rule, last_amount: ends_on === null ? null : last_amount };
  }
  if ('closing_day' in values) return { ...values, ...ofStatements(values) };
  if (!('exchange_rate' in values)) return values;
  const {
    amount,
    currency,
    exchange_rate: used,
  } = values as Record<string, string> & {
    exchange_rate: { rate: string };
  };
  if (currency === 'USD') return { ...values, amount_usd: amount ?? null, exchange_rate: null };
  const rate = { rate: new Big(used.rate), isInverse: false };
  return { ...values, amount_usd: convert(new Big(amount ?? 0), rate).toFixed(2) };
}

/** What a payment method has where it has statements, and where it has none. */
function ofStatements({ closing_day, due_day, due_days_after }: Snapshot): Snapshot {
  if (closing_day !== null) {
    return { method_type: 'credit', due_day: due_days_after === null ? (due_day ?? null) : null };
  }
  return {
    ...{ due_day: null, due_days_after: null, due_weekend_rule: 'keep' },
    ...{ first_closing_date: null, autopay: false },
  };
}

/** The states that a record of this type can have. */
function anyState(type: StoredType): fc.Arbitrary<Snapshot> {
  const values = fc.record(
    Object.fromEntries(
      Object.keys(newRecord(type).fields).map((name) => {
        const value = VALUES[name];
        if (!value) throw new Error(`Add values of ${name} to this test`);
        return [name, value];
      }),
    ),
  );
  return fc.tuple(values, anyRule).map(([state, rule]) => consistent(state, rule as Snapshot));
}

function newRecord(type: StoredType): HouseholdRecord {
  const { entity: entityClass }: { entity: new () => HouseholdRecord } = STORED_KINDS[type];
  return new entityClass();
}

describe('the fields of records', () => {
  it.each(STORED_TYPES)('of type %s: a restore brings back what a snapshot wrote', (type) => {
    fc.assert(
      fc.property(anyState(type), anyState(type), (state, other) => {
        const written = newRecord(type);
        written.restore(state);
        expect(written.snapshot()).toEqual(state);
        const restored = newRecord(type);
        restored.restore(other);
        restored.restore(JSON.parse(JSON.stringify(written.snapshot())) as Snapshot);
        expect(restored.snapshot()).toEqual(state);
      }),
      longRuns(200),
    );
  });

  it.each(STORED_TYPES)('of type %s: a restore leaves what is not recorded', (type) => {
    fc.assert(
      fc.property(anyState(type), (state) => {
        const record = newRecord(type);
        record.restore(state);
        record.restore({});
        expect(record.snapshot()).toEqual(state);
      }),
      longRuns(200),
    );
  });
});
