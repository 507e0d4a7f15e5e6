import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  IntegerField,
  TextField,
  TimestampField,
  UuidField,
} from '../../src/platform/dto/fields.js';
import { MoneyField, RateField } from '../../src/platform/dto/money-fields.js';
import {
  QueryBooleanField,
  QueryEnumListField,
  QueryIntegerField,
  QueryUuidListField,
} from '../../src/platform/dto/query-fields.js';
import { BODY_OPTIONS, checkFields } from '../../src/platform/dto/request-validation.pipe.js';
import { centsText } from '../support/fractions.js';
import { repetitions } from '../support/repetitions.js';

class Fields {
  @MoneyField({ omittable: true })
  amount?: unknown;

  @MoneyField({ omittable: true, zero: true })
  income?: unknown;

  @DateField({ omittable: true })
  date?: unknown;

  @TimestampField({ omittable: true })
  instant?: unknown;

  @TextField({ omittable: true, min: 1, max: 5 })
  text?: unknown;
}

const REFUSED = Symbol('refused');

/** The service's value of a field with this input. */
function read(field: keyof Fields, value: unknown): unknown {
  const fields = plainToInstance(Fields, { [field]: value });
  return validateSync(fields, BODY_OPTIONS).length > 0 ? REFUSED : fields[field];
}

const runs = { numRuns: repetitions(200) };
const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

describe('an amount field', () => {
  it('an amount field accepts an amount as a string and as a number, and 0 only where it is allowed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt({ min: 0n, max: 99_999_999_999n }), fc.bigInt({ min: 0n, max: 2n })),
        (cents) => {
          const text = centsText(cents);
          const amount = new Big(text);
          for (const written of [text, Number(text)]) {
            expect(read('income', written)).toEqual(amount);
            expect(read('amount', written)).toEqual(cents === 0n ? REFUSED : amount);
          }
        },
      ),
      runs,
    );
  });

  it('an amount field refuses all other values', () => {
    const amount = /^(\d+(\.\d\d?)?|\.\d\d?)$/;
    const other = fc
      .anything()
      .filter((value) => value !== undefined && !amount.test(JSON.stringify(value)))
      .filter((value) => typeof value !== 'string' || !amount.test(value));
    fc.assert(
      fc.property(other, (value) => {
        expect(read('amount', value)).toBe(REFUSED);
        expect(read('income', value)).toBe(REFUSED);
      }),
      runs,
    );
  });
});

describe('a timestamp field', () => {
  const MINUTE_MS = 60_000;
  const FIRST = Date.UTC(1900, 0, 1);
  const LAST = Date.UTC(2999, 11, 31, 23, 59, 59, 999);

  const anyMinutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  /** `Z`, or the offset from UTC with or without a colon. */
  const anyZone = fc.oneof(
    fc.constant({ minutes: 0, zone: 'Z' }),
    fc.tuple(anyMinutes, fc.constantFrom(':', '')).map(([minutes, colon]) => {
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      return { minutes, zone: `${minutes < 0 ? '-' : '+'}${pad(hours)}${colon}${pad(rest)}` };
    }),
  );

  /** An instant in the years of dates is accepted, whatever the year with its offset. */
  const expectedInstant = (ms: number): unknown =>
    ms >= FIRST && ms <= LAST ? new Date(ms) : REFUSED;

  it('a timestamp field accepts an instant with any offset, to the millisecond', () => {
    const digits = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: FIRST / 1000, max: Math.floor(LAST / 1000) }),
        fc.option(fc.tuple(fc.constantFrom('.', ','), digits), { nil: undefined }),
        anyZone,
        (seconds, fraction, { minutes, zone }) => {
          const local = new Date(seconds * 1000).toISOString().slice(0, 19);
          const written = `${local}${fraction?.join('') ?? ''}${zone}`;
          const ms = Number((fraction?.[1] ?? '').padEnd(3, '0').slice(0, 3));
          const expected = seconds * 1000 + ms - minutes * MINUTE_MS;
          expect(read('instant', written)).toEqual(expectedInstant(expected));
        },
      ),
      runs,
    );
  });

  it.each(['1900-01-01T00:00:00+14:00', '2999-12-31T23:59:59-12:00'])(
    'a timestamp field refuses %s, which is in another year in UTC',
    (written) => {
      expect(read('instant', written)).toBe(REFUSED);
    },
  );

  it('a timestamp field accepts an instant without seconds', () => {
    const anyMinute = fc.integer({ min: FIRST / MINUTE_MS, max: Math.floor(LAST / MINUTE_MS) });
    fc.assert(
      fc.property(anyMinute, anyZone, (minute, { minutes, zone }) => {
        const local = new Date(minute * MINUTE_MS).toISOString().slice(0, 16);
        expect(read('instant', local + zone)).toEqual(
          expectedInstant((minute - minutes) * MINUTE_MS),
        );
      }),
      runs,
    );
  });

  it('a timestamp field refuses a day, an hour, a minute, a second or an offset that does not exist', () => {
    const wrong = fc.constantFrom(
      ...['2026-02-29', '2026-13-01', '2026-00-01', '1899-12-31', '3000-01-01'].map(
        (day) => `${day}T10:20:30Z`,
      ),
      ...['24:00:00', '10:60:00', '10:20:60', '1:20:30', '10', '10:20:30.', '10:20:.5'].map(
        (time) => `2026-02-28T${time}Z`,
      ),
      ...['', 'z', '+24:00', '+10:60', '+1:00', '+01', ' Z', '\u221201:00'].map(
        (zone) => `2026-02-28T10:20:30${zone}`,
      ),
      ...['2026-02-28', '2026-02-28 10:20:30Z', '2026-02-28t10:20:30Z', '+002026-02-28T10:20:30Z'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          wrong,
          fc.string(),
          fc.anything().filter((v) => v !== undefined),
        ),
        (value) => {
          expect(read('instant', value)).toBe(REFUSED);
        },
      ),
      runs,
    );
  });
});

describe('a date field', () => {
  it('a date field accepts a date unchanged', () => {
    const anyDay = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((instant) => instant.toISOString().slice(0, 10));
    fc.assert(
      fc.property(anyDay, (date) => {
        expect(read('date', date)).toBe(date);
        expect(read('date', ` ${date}`)).toBe(REFUSED);
        expect(read('date', `${date}T00:00:00Z`)).toBe(REFUSED);
        expect(read('date', new Date(date))).toBe(REFUSED);
      }),
      runs,
    );
  });
});

describe('a string field', () => {
  it('a string field counts characters, not bytes, without surrounding white space', () => {
    const character = fc.constantFrom('a', 'é', '€', '😀', '\u{10FFFF}', ' ');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 8 }), (characters) => {
        const text = characters.join('').trim();
        const length = Array.from(text).length;
        const isValidLength = length >= 1 && length <= 5;
        expect(read('text', characters.join(''))).toBe(isValidLength ? text : REFUSED);
      }),
      runs,
    );
  });

  it('a string field refuses characters that the database cannot store, at any position', () => {
    const invalidCharacter = fc.constantFrom('\0', '\uD83D', '\uDE00', '\uDE00\uD83D');
    fc.assert(
      fc.property(
        fc.constantFrom('', 'a'),
        invalidCharacter,
        fc.constantFrom('', 'b'),
        (a, x, b) => {
          expect(read('text', a + x + b)).toBe(REFUSED);
        },
      ),
      runs,
    );
  });
});

class EveryField {
  @TextField({ min: 1, max: 5 })
  text?: unknown;

  @TextField({ min: 1, max: 5, verbatim: true })
  verbatim?: unknown;

  @EmailField()
  email?: unknown;

  @EnumField(['a', 'b'], 'Trend')
  option?: unknown;

  @MoneyField()
  amount?: unknown;

  @RateField()
  rate?: unknown;

  @DateField()
  date?: unknown;

  @DateField({ notBefore: 'date', maxDays: 1 })
  later?: unknown;

  @TimestampField()
  instant?: unknown;

  @UuidField()
  id?: unknown;

  @BooleanField()
  flag?: unknown;

  @IntegerField({ min: 1, max: 5 })
  integer?: unknown;

  @QueryBooleanField()
  queryFlag?: unknown;

  @QueryIntegerField({ min: 1, max: 5, default: 1 })
  queryInteger?: unknown;

  @QueryUuidListField({ max: 2 })
  ids?: unknown;

  @QueryEnumListField(['a', 'b'], 'ComparisonMetric')
  options?: unknown;
}

describe('a field of any kind', () => {
  it('a field of any kind has one error for any value, whose message begins with its name', async () => {
    const fields = Object.keys((await checkFields(EveryField, {})).errors);
    expect(fields).toHaveLength(14);
    const anyField = fc.constantFrom(...fields, 'queryFlag', 'queryInteger');
    const anyValue = fc.oneof(
      fc.anything(),
      fc.array(fc.string()).map((parts) => parts.join(',')),
      fc.constantFrom('', ' ', '\0', '2026-02-01', 'a@example.com', 0, 6, null),
    );
    await fc.assert(
      fc.asyncProperty(anyField, anyValue, async (field, value) => {
        const { errors } = await checkFields(EveryField, { date: '2026-01-01', [field]: value });
        const { [field]: found = [] } = errors;
        expect(found.length).toBeLessThanOrEqual(1);
        for (const { message } of found) expect(message.startsWith(`${field} `)).toBe(true);
      }),
      runs,
    );
  });

  it('a field of any kind is refused for its type where the value is of no type', async () => {
    const wrong = Object.fromEntries(Object.keys(new EveryField()).map((field) => [field, {}]));
    const { errors } = await checkFields(EveryField, wrong);
    expect(
      Object.fromEntries(Object.entries(errors).map(([field, [e]]) => [field, e?.reason])),
    ).toEqual({
      text: 'not_a_string',
      verbatim: 'not_a_string',
      email: 'not_a_string',
      option: 'not_an_option',
      amount: 'not_an_amount',
      rate: 'not_a_rate',
      date: 'not_a_date',
      later: 'not_a_date',
      instant: 'not_a_timestamp',
      id: 'not_a_uuid',
      flag: 'not_a_boolean',
      integer: 'not_an_integer',
      queryFlag: 'not_a_boolean',
      queryInteger: 'not_an_integer',
      ids: 'repeated',
      options: 'not_an_option',
    });
  });
});
