import { describe, expect, it } from '@jest/globals';
import { SECTIONS } from '../../../src/portability/dto/document.dto.js';
import { expectInvalid } from '../../support/errors.js';
import { operationsOf, splitName } from '../../support/operations.js';
import { expectRefused } from '../../support/rejected-requests.js';
import { UNKNOWN_UUID, useSampleEntities } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

// Invalid values for each kind of field. Kinds named `optional...` accept null.
const notText = [5, true, [], ['x'], {}, '\0', 'a\ud800', '\udc00b'];
const longerThan = (max: number): string => 'x'.repeat(max + 1);
const optionalText = (max: number): unknown[] => [longerThan(max), ...notText];
const text = (max: number): unknown[] => [null, '', ' \n', longerThan(max), ...notText];
const optionalEnum = ['', 'nonsense', ' USD', 1, true, [], ['USD'], {}, '\0'];
const oneOf = [null, ...optionalEnum];
const notMoney = ['', 'x', '1.234', 1.234, '1e3', 1e21, '1,000', '1000000000', true, [], ['1'], {}];
const zeroOrMoney = [null, '-1', -1, '+1', ' 1', '1.', '.', '.005', 'Infinity', '\0', ...notMoney];
const money = ['0', 0, '0.00', ...zeroOrMoney];
const optionalMoney = money.filter((value) => value !== null);
const notDates = ['2025-02-30', '2025-2-1', '2025-01-01T00:00:00Z', '1899-12-31', '3000-01-01'];
const date = [null, '', ...notDates, 20250101, true, [], {}, '\0'];
const optionalDate = date.slice(1);
const notTimes = ['2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-01-01T25:00Z'];
/** The first and the last year of dates, but not in UTC. */
const outOfRange = ['1900-01-01T00:00:00+14:00', '2999-12-31T23:59:59-12:00'];
const timestamp = [null, '', ...notTimes, ...outOfRange, 0, true, [], {}, '\0'];
const optionalBoolean = ['true', '', 1, 0, [], {}];
const boolean = [null, ...optionalBoolean];
const uuid = [
  null,
  '',
  'x',
  UNKNOWN_UUID.slice(1),
  `${UNKNOWN_UUID}0`,
  `${UNKNOWN_UUID}\0`,
  5,
  true,
  [],
  {},
];
const object = [null, '', 'x', 5, true, [], [{}], {}];
const newPassword = [null, '', 'x'.repeat(7), longerThan(128), ...notText];
const formText = ['a\0', ['x', 'y'], longerThan(1000)];

const profile = { first_name: optionalText(100), last_name: optionalText(100) };
const notIntegers = [-1, 1.5, '1', 'x', '', true, [], {}, '\0'];
const timeZone = ['', ' ', 'utc', '-06:00', '+05:00', 'EST', 'Nowhere/City', '\0', ...notText];
const paymentMethod = {
  name: text(100),
  method_type: oneOf,
  default_currency: oneOf,
  description: optionalText(500),
  closing_day: [0, 32, ...notIntegers],
  due_day: [0, 32, ...notIntegers],
  due_days_after: [0, 61, ...notIntegers],
  due_weekend_rule: oneOf,
  first_closing_date: optionalDate,
  autopay: boolean,
  paid_from_id: uuid.slice(1),
};
const budget = { name: text(100), limit: optionalMoney };
const amountChange = { from: '2026-01-01', amount: '5' };
const notAmountChanges = [
  ...['', 'x', 5, true, {}, amountChange],
  ...[[null], ['x'], [[]], [{}], [amountChange, amountChange], Array(25).fill(amountChange)],
  ...date.map((from) => [{ ...amountChange, from }]),
  ...money.map((amount) => [{ ...amountChange, amount }]),
  [amountChange, { ...amountChange, from: '2025-12-31' }],
  [{ ...amountChange, to: '2026-02-01' }],
];
const notDateLists = [
  ...['', 'x', '2026-01-01', 5, true, {}],
  ...date.map((value) => [value]),
  ...[
    ['2026-01-01', '2026-01-01'],
    ['2026-01-02', '2026-01-01'],
  ],
  Array.from({ length: 101 }, (_, index) => `${2000 + index}-01-01`),
];
const rule = {
  amount_changes: notAmountChanges,
  last_amount: optionalMoney,
  skipped_dates: notDateLists,
  recurrence_type: oneOf,
  recurrence_config: object,
  reference_date: date,
  starts_on: optionalDate,
  ends_on: optionalDate,
  weekend_rule: optionalEnum,
};
const recurrence = { ...rule, description: text(255), currency: oneOf, base_amount: money };
const optionalUuid = uuid.slice(1);
const template = {
  ...recurrence,
  payment_method_id: uuid,
  budget_id: optionalUuid,
  category: oneOf,
  autopay_info: optionalText(1000),
};
const incomeTemplate = {
  ...recurrence,
  payment_method_id: optionalUuid,
  budget_id: optionalUuid,
};
/** What an update takes only with a value. */
const ruleOfUpdate = {
  weekend_rule: oneOf,
  amount_changes: [null, ...notAmountChanges],
  skipped_dates: [null, ...notDateLists],
};
const income = {
  description: text(255),
  currency: oneOf,
  amount: money,
  income_date: date,
  payment_method_id: optionalUuid,
  budget_id: optionalUuid,
  comments: optionalText(1000),
  received: boolean,
  received_at: timestamp,
};
const cycle = { name: text(100), start_date: date, end_date: date, income_amount: zeroOrMoney };
const expense = {
  description: text(255),
  currency: oneOf,
  payment_method_id: uuid,
  budget_id: optionalUuid,
  amount: money,
  due_date: date,
  category: oneOf,
  comments: optionalText(1000),
  autopay_info: optionalText(1000),
  paid: boolean,
  paid_at: timestamp,
};
const comment = { body: text(10_000) };
const limit = { budget_id: UNKNOWN_UUID, limit: '5' };
const notIds = [
  'x',
  {},
  5,
  true,
  [],
  ['x'],
  [null],
  [[UNKNOWN_UUID]],
  Array(201).fill(UNKNOWN_UUID),
];

const notLimits = [
  ...[null, '', 'x', 5, true, {}, limit],
  ...[[null], ['x'], [[]], [{}], [limit, limit], Array(51).fill(limit)],
  ...uuid.map((budget_id) => [{ ...limit, budget_id }]),
  ...money.map((value) => [{ ...limit, limit: value }]),
  [{ ...limit, id: UNKNOWN_UUID }],
];
const stated = { payment_method_id: UNKNOWN_UUID, amount: '5' };
const notBalances = [
  ...[null, '', 'x', 5, true, {}, stated, []],
  ...[[null], ['x'], [[]], [{}], [stated, stated], Array(51).fill(stated)],
  ...uuid.map((payment_method_id) => [{ ...stated, payment_method_id }]),
  ...['--1', '-1000000000', ...notMoney].map((amount) => [{ ...stated, amount }]),
  [{ ...stated, currency: 'USD' }],
];
const notElements = [null, '', 'x', 5, true, [], {}, Array(201).fill({ id: UNKNOWN_UUID })];

const calendarFeed = {
  name: text(100),
  payment_method_id: optionalUuid,
  alarm_days: [-1, 31, 1.5, '1', 'x', true, [], {}],
};

const INVALID_VALUES: Record<string, Record<string, unknown[]>> = {
  'POST /auth/register': {
    ...profile,
    email: [...text(255), 'ana', 'ana@', '@example.com'],
    password: newPassword,
    preferred_currency: optionalEnum,
    locale: ['', ...optionalText(10)],
    time_zone: timeZone,
    minimum_balance: zeroOrMoney.slice(1),
    next_income_amount: optionalEnum,
    invitation_code: ['', ...optionalText(100)],
  },
  'POST /auth/login': {
    username: ['', ...formText],
    email: ['', ...formText],
    password: ['', ...formText],
    grant_type: formText,
    scope: formText,
    client_id: formText,
    client_secret: formText,
  },
  'PUT /auth/me': {
    ...profile,
    preferred_currency: oneOf,
    locale: text(10),
    time_zone: [null, ...timeZone],
    minimum_balance: zeroOrMoney,
    next_income_amount: oneOf,
    reminders: [null, [], 'x', 5, true, { unknown: 1 }, { hour: 24 }, { enabled: null }],
  },
  'POST /auth/tokens': {
    name: text(100),
    access: optionalEnum,
    expires_in_days: [0, -1, 366, 1.5, '30', true, [], {}, '\0'],
  },
  'POST /account/password-reset': {
    email: [...text(255), 'ana', 'ana@', '@example.com'],
  },
  'POST /account/password-reset/confirm': { token: text(200), new_password: newPassword },
  'POST /account/reminders/confirm': { token: text(200) },
  'PUT /auth/me/password': {
    current_password: [null, '', longerThan(1000), ...notText],
    new_password: newPassword,
  },
  'PUT /households/current': { name: text(100) },
  'PUT /households/current/members/{user_id}': { role: oneOf },
  'POST /payment-methods': paymentMethod,
  'PUT /payment-methods/{id}': { ...paymentMethod, active: boolean },
  'PUT /payment-methods/{id}/statements/{closing_date}': {
    stated_amount: ['--1', '-1000000000', ...notMoney],
    due_date: optionalDate,
    paid: boolean,
    paid_at: timestamp,
    paid_amount: zeroOrMoney,
  },
  'POST /budgets': { ...budget, currency: oneOf },
  'PUT /budgets/{id}': { ...budget, active: boolean },
  'POST /balances': { balances: notBalances, stated_at: timestamp.slice(1) },
  'POST /expense-templates': template,
  'PUT /expense-templates/{id}': { ...template, ...ruleOfUpdate, active: boolean },
  'POST /income-templates': incomeTemplate,
  'PUT /income-templates/{id}': { ...incomeTemplate, ...ruleOfUpdate, active: boolean },
  'POST /occurrences': {
    ...rule,
    base_amount: optionalMoney,
    from: date,
    to: [...date, '2026-01-18', '2029-01-24'],
  },
  'POST /cycles': {
    ...cycle,
    remaining_balance: notMoney,
    generate_from_templates: optionalBoolean,
    side: optionalBoolean,
  },
  'POST /cycles/preview': {
    ...cycle,
    // White space alone is no name.
    name: cycle.name.filter((value) => value !== null && value !== ' \n'),
    remaining_balance: notMoney,
    generate_from_templates: optionalBoolean,
    side: optionalBoolean,
    opening_balance: ['--1', '-1000000000', ...notMoney],
  },
  'POST /forecast': {
    to: optionalDate,
    free_until: optionalDate,
    currency: optionalEnum,
    payment_method_id: optionalUuid,
    opening_balance: ['--1', '-1000000000', ...notMoney],
    minimum_balance: zeroOrMoney.slice(1),
    set_aside: optionalEnum,
    include: ['days', ['weeks'], ['days', null], [], [5], 5, true, {}],
    changes: ['x', 5, true, {}, [null], ['x'], [[]], [{}], [{ op: 'x' }], Array(51).fill({})],
  },
  'POST /cycles/{id}/reprice': { dry_run: optionalBoolean },
  'POST /cycles/{id}/carry-over': {
    to_cycle_id: uuid,
    expense_ids: notIds,
    income_ids: notIds,
  },
  'POST /cycles/{id}/close': { to_cycle_id: optionalUuid, leave_open: optionalBoolean },
  'PUT /cycles/{id}': { ...cycle, status: oneOf, budget_limits: notLimits, side: boolean },
  'POST /cycles/{cycle_id}/expenses': expense,
  'PATCH /cycles/{cycle_id}/expenses': { expenses: notElements },
  'PATCH /cycles/{cycle_id}/incomes': { incomes: notElements },
  'PUT /cycles/{cycle_id}/expenses/{expense_id}': { ...expense, status: oneOf },
  'POST /cycles/{cycle_id}/incomes': income,
  'PUT /cycles/{cycle_id}/incomes/{income_id}': income,
  'POST /calendar-feeds': calendarFeed,
  'PUT /calendar-feeds/{id}': calendarFeed,
  'POST /import': {
    schema_version: [null, '1', '2', 0, 4, 1.5, true, [], {}],
    exported_at: [null, 5, true, [], {}],
    ...Object.fromEntries(SECTIONS.map((section) => [section, [null, 'x', 5, true, {}]])),
  },
  'POST /comments': { ...comment, entity_type: ['comment', ...oneOf], entity_id: uuid },
  'PATCH /comments/{id}': comment,
};

describe('the body', () => {
  const service = useService();
  const entities = useSampleEntities(service);

  it.each(Object.entries(INVALID_VALUES))(
    'the body of %s is refused for each invalid value of each field',
    async (operation, wrong) => {
      const { user, fill, validBody } = entities;
      const { method, path } = splitName(operation);
      const type = operation === 'POST /auth/login' ? 'form' : 'json';
      const valid = validBody(operation);
      const requests = Object.entries(wrong).flatMap(([field, values]) =>
        values.map((value) => ({
          field,
          value,
          send: () =>
            user
              .send(method, fill(path))
              .type(type)
              .send({ ...valid, [field]: value }),
        })),
      );
      await expectRefused(service, requests);
    },
  );

  it('the body is tested for every field of the OpenAPI document', () => {
    const documented = operationsOf(service.app).flatMap(({ name, body }) =>
      (body?.fields ?? []).map((field) => `${name}: ${field}`),
    );
    const tested = Object.entries(INVALID_VALUES).flatMap(([operation, wrong]) =>
      Object.keys(wrong).map((field) => `${operation}: ${field}`),
    );
    expect(tested.sort()).toEqual(documented.sort());
  });

  it('the body is refused with all its invalid fields at once', async () => {
    const { user, fill } = entities;
    const wrong = { currency: 'EUR', amount: '-1', due_date: 'soon', paid: 'yes', category: null };
    const response = await user.post(fill('/cycles/{cycle_id}/expenses'), wrong);
    expectInvalid(response, ...Object.keys(wrong), 'description', 'payment_method_id');
  });
});
