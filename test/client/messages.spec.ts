import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  ApiError,
  fieldErrors,
  messageOf,
  NetworkError,
  reasonMessage,
  UnexpectedResponseError,
  type ErrorCode,
  type ErrorDetails,
  type ExpenseClient,
  type MessageLanguage,
} from '../../clients/typescript/src/index.js';
import { ENGLISH } from '../../clients/typescript/src/messages.en.js';
import { SPANISH } from '../../clients/typescript/src/messages.es.js';
import { uniqueName } from '../support/client.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { useService } from '../support/service.js';

interface Document {
  components: {
    schemas: Record<
      string,
      { enum?: string[]; description?: string; properties?: { code?: { enum?: string[] } } }
    >;
  };
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;
const { schemas } = document.components;
/** Each error has a schema of its own, whose `code` has one value. */
const codes = new Set(
  Object.values(schemas)
    .filter(({ description }) => description?.startsWith('The error '))
    .flatMap(({ properties }) => properties?.code?.enum ?? []),
);
const reasons = schemas.FieldReason?.enum ?? [];

const languages = [
  ['en', ENGLISH],
  ['es', SPANISH],
] as const;

function apiError<Code extends ErrorCode>(
  code: Code,
  details: ErrorDetails<Code>,
  status = 422,
): ApiError {
  const body = { code, message: 'For people who read English', details };
  return new ApiError(body, new Response(null, { status }), false);
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the messages of the TypeScript client', () => {
  it.each(languages)(
    'the messages of the TypeScript client in %s are those of the codes and reasons of the document',
    (_, messages) => {
      expect(codes).toContain('PRECONDITION_FAILED');
      expect(Object.keys(messages.codes).sort()).toEqual([...codes].sort());
      expect(Object.keys(messages.reasons).sort()).toEqual([...reasons].sort());
    },
  );

  it.each(languages)(
    'the messages of the TypeScript client in %s are sentences with the same values',
    (_, { codes, cases, reasons, bounds }) => {
      for (const message of Object.values({ ...codes, ...cases, ...reasons })) {
        expect(message).toMatch(/^\p{Lu}.{5,70}\.$/u);
      }
      const valuesOf = (table: Record<string, string>): unknown =>
        Object.fromEntries(
          Object.entries(table).map(([name, message]) => [name, message.match(/\{\w+\}/g)?.sort()]),
        );
      expect(valuesOf(cases)).toEqual(valuesOf(ENGLISH.cases));
      expect(valuesOf(bounds)).toEqual(valuesOf(ENGLISH.bounds));
    },
  );

  it('the Spanish messages of the TypeScript client say tú', () => {
    const all = Object.values({ ...SPANISH.codes, ...SPANISH.cases, ...SPANISH.reasons }).join(' ');
    expect(all).not.toMatch(/\b(usted|revise|inténtelo|vuelva|escriba|elija)\b/i);
  });

  it('errors without a code have messages of the TypeScript client', () => {
    const html = new UnexpectedResponseError(new Response('<h1>', { status: 502 }), '<h1>');
    expect(messageOf(new NetworkError(new Error('fetch failed'), undefined), 'en')).toBe(
      'There was no answer. Please check your connection and try again.',
    );
    expect(messageOf(html, 'en')).toBe('The answer could not be read. Please try again later.');
    for (const error of [new TypeError('x'), undefined, null, 'text', { code: 'FORBIDDEN' }]) {
      expect(messageOf(error, 'en')).toBe('Something went wrong. Please try again.');
      expect(messageOf(error, 'es')).toBe('Algo salió mal. Inténtalo de nuevo.');
    }
  });

  it('codes and reasons of a newer service have messages of the TypeScript client', () => {
    for (const name of ['NEW', 'toString', '__proto__']) {
      const error = apiError(name as 'FORBIDDEN', {});
      expect(messageOf(error, 'en')).toBe('Something went wrong. Please try again.');
      expect(reasonMessage(name, 'en')).toBe('Please check what you have entered.');
      expect(reasonMessage(name, 'es')).toBe('Revisa los datos que escribiste.');
    }
  });

  it.each([
    [apiError('RESOURCE_CONFLICT', { resource: 'budget', limit: 50 }), 'limitReached'],
    [apiError('RESOURCE_CONFLICT', { resource: 'budget', id: 'b' }), 'nameTaken'],
    [apiError('RESOURCE_CONFLICT', { resource: 'cycle', fields: { name: [] } }), 'changedSince'],
    [apiError('RESOURCE_CONFLICT', { resource: 'account' }), 'accountNotEmpty'],
    [apiError('VALIDATION_ERROR', {}, 413), 'tooLarge'],
    [apiError('VALIDATION_ERROR', {}, 400), 'badRequest'],
    [apiError('VALIDATION_ERROR', { rows: { 2: { amount: ['x'] } } }), 'rows'],
    [apiError('CYCLE_GENERATION_ERROR', { limit: 50 }), 'tooManyEntries'],
  ] as const)('the details of %s choose the message %s of the TypeScript client', (error, name) => {
    const expected = (messages: typeof ENGLISH): string =>
      messages.cases[name].replace('{limit}', '50');
    expect(messageOf(error, 'en')).toBe(expected(ENGLISH));
    expect(messageOf(error, 'es')).toBe(expected(SPANISH));
    expect(fieldErrors(error, 'en')).toEqual({});
  });

  it('errors without refused fields have no messages for fields', () => {
    for (const error of [
      new NetworkError(undefined, undefined),
      undefined,
      apiError('FORBIDDEN', {}),
    ]) {
      expect(fieldErrors(error, 'en')).toEqual({});
    }
  });

  it('a message of a field has no bounds where that of the service has none', () => {
    const error = apiError('VALIDATION_ERROR', {
      fields: { name: ['name is long'], other: ['other is new'] },
      reasons: { name: ['too_long'] },
    });
    const other = 'Please check what you have entered.';
    expect(fieldErrors(error, 'en')).toEqual({ name: 'This is too long.', other });
  });
});

describe('the messages of the TypeScript client for errors of the service', () => {
  const service = useService();
  const clients = useRelayedClients(service);
  let client: ExpenseClient;

  beforeAll(async () => {
    client = await clients.signUp();
  });

  const cycle = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '1.00' };

  it.each<[MessageLanguage, Record<string, string>]>([
    [
      'en',
      {
        description: 'This is too long (1 to 255).',
        base_amount: 'Please enter an amount with at most two decimals (0.01 to 999999999.99).',
        reference_date: 'Please enter a date (1900 to 2999).',
        currency: 'Please choose one of the options.',
        'recurrence_config.interval': 'This number is too small (at least 1).',
      },
    ],
    [
      'es',
      {
        description: 'Es demasiado largo (de 1 a 255).',
        base_amount: 'Escribe un monto con dos decimales como máximo (de 0.01 a 999999999.99).',
        reference_date: 'Escribe una fecha (de 1900 a 2999).',
        currency: 'Elige una de las opciones.',
        'recurrence_config.interval': 'Este número es demasiado pequeño (1 como mínimo).',
      },
    ],
  ])(
    'each refused field has a message of the TypeScript client in %s',
    async (language, messages) => {
      const error = await errorOf(
        client.POST('/income-templates', {
          body: {
            description: 'x'.repeat(1000),
            base_amount: '0',
            reference_date: 'tomorrow',
            currency: 'EUR' as 'USD',
            recurrence_type: 'custom',
            recurrence_config: { interval: 0, unit: 'days' },
          },
        }),
      );
      expect(fieldErrors(error, language)).toEqual(messages);
    },
  );

  it('dates that do not fit have a message of the TypeScript client at their field', async () => {
    const create = (end_date: string): Promise<unknown> =>
      errorOf(client.POST('/cycles', { body: { ...cycle, name: uniqueName('C'), end_date } }));
    const early = await create('2026-01-19');
    expect(fieldErrors(early, 'en')).toEqual({
      end_date: 'The end of a cycle must be after its start.',
    });
    const late = await create('2027-01-19');
    expect(fieldErrors(late, 'es')).toEqual({
      end_date: 'Un ciclo puede tener 45 días como máximo.',
    });
    expect(messageOf(late, 'en')).toBe('A cycle can have at most 45 days.');
  });

  it('other errors of the service have messages of the TypeScript client', async () => {
    const name = uniqueName('Cycle');
    const { data, etag } = await client.POST('/cycles', { body: { ...cycle, name } });
    const params = { path: { id: data.id }, header: { 'If-Match': etag } };
    await client.PUT('/cycles/{id}', { params, body: { income_amount: '2.00' } });
    const changed = await errorOf(client.PUT('/cycles/{id}', { params, body: { name: 'x' } }));
    expect(messageOf(changed, 'en')).toBe(
      'This was changed elsewhere. Please look at the current version.',
    );
    const taken = await errorOf(client.POST('/cycles', { body: { ...cycle, name } }));
    expect(messageOf(taken, 'es')).toBe('Ya existe un ciclo con este nombre.');

    const link = { token: 'q3J0'.repeat(11), new_password: 'a better horse battery' };
    const used = await errorOf(client.POST('/account/password-reset/confirm', { body: link }));
    expect(messageOf(used, 'en')).toBe(
      'This link has been used or has expired. Please request another one.',
    );
    const ended = clients.create({ token: { value: 'ended', expiresAt: Infinity } });
    expect(messageOf(await errorOf(ended.GET('/cycles')), 'en')).toBe(
      'Your session has ended. Please sign in again.',
    );
  });
});
