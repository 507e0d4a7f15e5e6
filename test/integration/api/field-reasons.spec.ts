import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import type { Response } from 'supertest';
import '../../../src/app.module.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { hasReason } from '../../../src/platform/dto/constraint-reasons.js';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import { splitName } from '../../support/operations.js';
import { useSampleEntities } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

/** Valid but for its length. */
const LONG_EMAIL = `a@${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}.example.com`;
const NO_DATE = '2026-02-30';
const DATE_RULE = 'must be a calendar day YYYY-MM-DD from 1900 to 2999';
const AMOUNT_RULE = 'must be an amount from 0.01 to 999999999.99 with at most 2 decimals';
const CHANGE = { from: '2026-01-01', amount: '5' };
const TIME_ZONE_RULE = 'time_zone must be UTC or a time zone such as America/Mexico_City';
const INTEGER_RULE = 'must be an integer number';

const detailsOf = (response: Response): unknown => (response.body as ErrorBody).error.details;

interface Constraint {
  type: string;
  name?: string;
}

/**
 * The constraints of all classes but the settings; class-validator lists those of a given class
 * only.
 */
function constraintsOfRequests(): Constraint[] {
  const byClass = Reflect.get(getMetadataStorage(), 'validationMetadatas') as Map<
    unknown,
    Constraint[]
  >;
  return [...byClass].filter(([target]) => target !== Environment).flatMap(([, all]) => all);
}

/** They decide whether others apply, and refuse nothing themselves. */
const CONDITIONS = new Set([
  'conditionalValidation',
  'nestedValidation',
  'whitelistValidation',
  'isOptional',
]);

describe('the reason of a refused field', () => {
  it('the reason of a refused field is defined for each constraint of the fields of requests', () => {
    const constraints = constraintsOfRequests();
    expect(constraints.length).toBeGreaterThan(100);
    const names = constraints
      .map(({ type, name }) => name ?? type)
      .filter((name) => !CONDITIONS.has(name));
    expect([...new Set(names)].filter((name) => !hasReason(name))).toEqual([]);
  });
});

describe('a refused field has one message, of the type before the range', () => {
  const service = useService();
  const entities = useSampleEntities(service);

  /** Values that several checks could refuse, with the one message and reason. */
  const EXPECTED: Record<
    string,
    Record<string, [value: unknown, message: string, reason: string][]>
  > = {
    'POST /payment-methods': {
      name: [
        [null, 'name is required', 'required'],
        [5, 'name must be a string', 'not_a_string'],
        [['x'.repeat(101)], 'name must be a string', 'not_a_string'],
        ['\0'.repeat(101), 'name must not contain U+0000 or lone surrogates', 'invalid_characters'],
        ['', 'name must have 1 to 100 characters', 'too_short'],
        [' ', 'name must not be blank', 'blank'],
        ['x'.repeat(101), 'name must have 1 to 100 characters', 'too_long'],
      ],
      method_type: [
        [5, 'method_type must be one of: debit, credit, cash, transfer', 'not_an_option'],
      ],
    },
    'PUT /budgets/{id}': {
      name: [[null, 'name is required', 'required']],
      limit: [0, '-1', '1.005', 'x'].map((value): [unknown, string, string] => [
        value,
        `limit ${AMOUNT_RULE}`,
        'not_an_amount',
      ]),
      active: [[null, 'active must not be null', 'null']],
    },
    'PUT /cycles/{id}': {
      budget_limits: [
        [null, 'budget_limits must not be null', 'null'],
        [5, 'budget_limits must be an array', 'not_an_array'],
      ],
    },
    'POST /comments': {
      body: [
        [5, 'body must be a string', 'not_a_string'],
        ['', 'body must have 1 to 10000 characters', 'too_short'],
        [' \n', 'body must not be blank', 'blank'],
      ],
      entity_id: [[5, 'entity_id must be a UUID', 'not_a_uuid']],
    },
    'POST /auth/register': {
      email: [
        [5, 'email must be a string', 'not_a_string'],
        ['\0', 'email must not contain U+0000 or lone surrogates', 'invalid_characters'],
        ['', 'email must be an email', 'not_an_email'],
        ['x'.repeat(256), 'email must be an email', 'not_an_email'],
        [LONG_EMAIL, 'email must have 1 to 255 characters', 'too_long'],
      ],
      time_zone: [5, '', ' ', '-06:00', 'EST', 'Nowhere/City', 'x'.repeat(65)].map(
        (value): [unknown, string, string] => [value, TIME_ZONE_RULE, 'not_an_option'],
      ),
    },
    'PUT /auth/me': {
      time_zone: [
        [null, 'time_zone must not be null', 'null'],
        ['+05:00', TIME_ZONE_RULE, 'not_an_option'],
      ],
    },
    'POST /expense-templates': {
      base_amount: [['x', `base_amount ${AMOUNT_RULE}`, 'not_an_amount']],
      reference_date: [[NO_DATE, `reference_date ${DATE_RULE}`, 'not_a_date']],
      ends_on: [
        [5, `ends_on ${DATE_RULE}`, 'not_a_date'],
        ['1900-01-01', 'ends_on must not be before starts_on', 'out_of_order'],
      ],
      amount_changes: [
        [5, 'amount_changes must be an array', 'not_an_array'],
        [Array(25).fill({}), 'amount_changes must have 0 to 24 elements', 'too_many'],
        [
          [CHANGE, { ...CHANGE, from: '2025-12-31' }],
          'amount_changes must be ascending by date',
          'out_of_order',
        ],
        [[CHANGE, CHANGE], 'amount_changes must not have a date twice', 'repeated'],
      ],
      last_amount: [
        [0, `last_amount ${AMOUNT_RULE}`, 'not_an_amount'],
        ['5', 'last_amount must be null without ends_on', 'contradiction'],
      ],
      skipped_dates: [
        ['2026-01-01', 'skipped_dates must be an array', 'not_an_array'],
        [Array(101).fill(5), 'skipped_dates must have 0 to 100 elements', 'too_many'],
        [
          ['2026-01-01', NO_DATE],
          'skipped_dates must have elements that are each a calendar day YYYY-MM-DD from 1900 to 2999',
          'not_a_date',
        ],
        [['2026-02-01', '2026-01-01'], 'skipped_dates must be ascending by date', 'out_of_order'],
        [['2026-01-01', '2026-01-01'], 'skipped_dates must not have a date twice', 'repeated'],
      ],
      recurrence_config: [
        [5, 'recurrence_config must be an object', 'not_an_object'],
        [[5], 'recurrence_config must be an object', 'not_an_object'],
        [[{}, {}], 'recurrence_config must be an object', 'not_an_object'],
      ],
      'recurrence_config.day_of_month': [
        [null, 'recurrence_config.day_of_month is required', 'required'],
        ['x', `recurrence_config.day_of_month ${INTEGER_RULE}`, 'not_an_integer'],
        [0.5, `recurrence_config.day_of_month ${INTEGER_RULE}`, 'not_an_integer'],
        [{}, `recurrence_config.day_of_month ${INTEGER_RULE}`, 'not_an_integer'],
        [0, 'recurrence_config.day_of_month must be between 1 and 31', 'too_small'],
        [32, 'recurrence_config.day_of_month must be between 1 and 31', 'too_large'],
      ],
    },
    'POST /occurrences': {
      to: [
        ['x', `to ${DATE_RULE}`, 'not_a_date'],
        ['1900-01-01', 'to must not be before from', 'out_of_order'],
        ['2999-12-31', 'to must be at most 1100 days after from', 'too_far_apart'],
      ],
    },
    'PUT /cycles/{cycle_id}/expenses/{expense_id}': {
      paid: [
        ['x', 'paid must be true or false', 'not_a_boolean'],
        [null, 'paid must not be null', 'null'],
      ],
      paid_at: [
        [
          'x',
          'paid_at must be an ISO 8601 timestamp with Z or an offset, from 1900 to 2999',
          'not_a_timestamp',
        ],
      ],
    },
  };

  it.each(Object.entries(EXPECTED))(
    'a refused field has one message, of the type before the range in the body of %s',
    async (operation, byPath) => {
      const { user, fill, validBody } = entities;
      const { method, path } = splitName(operation);
      for (const [at, cases] of Object.entries(byPath)) {
        const [field = '', inner] = at.split('.');
        for (const [value, message, reason] of cases) {
          const body = {
            starts_on: undefined,
            ...validBody(operation),
            ...(field === 'ends_on' && { starts_on: '2026-01-01' }),
            [field]: inner === undefined ? value : { [inner]: value },
          };
          const response = await user.send(method, fill(path)).send(body);
          expect(detailsOf(response)).toEqual({
            fields: { [at]: [message] },
            reasons: { [at]: [reason] },
          });
        }
      }
    },
  );

  it.each([
    ['/cycles?page=abc', `page ${INTEGER_RULE}`, 'not_an_integer'],
    ['/cycles?page=', `page ${INTEGER_RULE}`, 'not_an_integer'],
    ['/cycles?page=1&page=2', `page ${INTEGER_RULE}`, 'not_an_integer'],
    ['/cycles?page[]=0', 'page must be a single value', 'repeated'],
    ['/cycles?page=0', 'page must be at least 1', 'too_small'],
    ['/cycles?page=-1', 'page must be at least 1', 'too_small'],
    ['/cycles?per_page=101', 'per_page must be between 1 and 100', 'too_large'],
    ['/payment-methods?active=1', 'active must be true or false', 'not_a_boolean'],
    [
      '/reports/cycles-comparison?cycle_ids=a&cycle_ids=b',
      'cycle_ids must be given once, separated by commas',
      'repeated',
    ],
    [
      `/reports/cycles-comparison?cycle_ids=${Array.from({ length: 51 }, (_, n) => n).join(',')}`,
      'cycle_ids must be UUIDs, separated by commas',
      'not_a_uuid',
    ],
  ])(
    'a refused field has one message, of the type before the range in the query of %s',
    async (path, message, reason) => {
      const user = await service.signUp();
      const field = message.split(' ')[0] ?? '';
      expect(detailsOf(await user.get(path))).toEqual({
        fields: { [field]: [message] },
        reasons: { [field]: [reason] },
      });
    },
  );

  it('a refused field has one message, of the type before the range in the rows of a file', async () => {
    const { user, fill } = entities;
    const file = 'description,currency,amount,due_date,category,payment_method\n,x,y,z,,\n';
    const response = await user
      .post(fill('/cycles/{cycle_id}/expenses/import'))
      .type('text/csv')
      .send(file);
    const { rows, row_reasons: reasons } = (response.body as ErrorBody).error.details;
    const columns = ['description', 'currency', 'amount', 'due_date', 'category', 'payment_method'];
    for (const byLine of [rows, reasons]) {
      const [row = {}] = Object.values(byLine as Record<string, Record<string, string[]>>);
      expect(Object.keys(row).sort()).toEqual(columns.sort());
      for (const messages of Object.values(row)) expect(messages).toHaveLength(1);
    }
  });
});
