/**
 * What the types of the helpers for front ends must accept and refuse. The compiler checks this
 * file; nothing runs it.
 */
import {
  addAmounts,
  compareAmounts,
  convertToUsd,
  daysBetween,
  ExpenseClient,
  explainFree,
  fieldErrors,
  firstFit,
  formatDate,
  formatMoney,
  formatNumber,
  fromCents,
  messageOf,
  parseAmount,
  planAgainstReality,
  Queries,
  reasonMessage,
  recurrenceText,
  shortDays,
  toCents,
  warningMessage,
  type DataAt,
  type FreeExplanation,
  type GetPath,
  type MessageLanguage,
  type PlanAgainstReality,
  type Query,
  type QueryState,
  type RecurrenceRule,
  type Schemas,
  type Sent,
  type ShortDays,
  type Operation,
} from '../src/index.js';

/** Compiles only for a value of exactly this type. */
declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...error: [Actual, Expected] extends [Expected, Actual] ? [] : ['another type']
) => void;

const client = new ExpenseClient({ baseUrl: 'http://localhost:3000' });
const queries = new Queries(client);
const path = { id: 'c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05' };

export function amounts(expense: Schemas['ExpenseResponse']): void {
  expectType<bigint>()(toCents(expense.amount));
  expectType<string>()(fromCents(5n));
  // @ts-expect-error: cents are no floating-point number
  fromCents(5);
  // @ts-expect-error: an amount is no number
  addAmounts('1.00', 2);
  expectType<number>()(['1.00', '2.00'].sort(compareAmounts).length);
  formatMoney(expense.amount, expense.currency, 'es-MX');
  formatMoney(expense.amount, 'USD', 'en', { sign: 'always' });
  // @ts-expect-error: a currency that the API does not have
  formatMoney(expense.amount, 'EUR', 'en');
  // @ts-expect-error: the only choice is `always`
  formatMoney(expense.amount, 'USD', 'en', { sign: 'never' });
  // @ts-expect-error: the locale is required
  formatNumber(expense.amount);
  // What is typed may be no amount.
  expectType<string | undefined>()(parseAmount('1,234.5', 'en'));
}

export function dates(): void {
  formatDate('2026-02-01', 'es-MX', { weekday: 'long', day: 'numeric' });
  expectType<number>()(daysBetween({ from: '2026-02-01', to: '2026-02-03' }));
  // @ts-expect-error: the dates have names
  daysBetween('2026-02-01', '2026-02-03');
}

export function messages(error: unknown, language: MessageLanguage): void {
  expectType<string>()(messageOf(error, language));
  expectType<Record<string, string>>()(fieldErrors(error, 'es'));
  reasonMessage('a reason of a newer service', 'en');
  // @ts-expect-error: a language without messages
  messageOf(error, 'fr');
}

export function plans(
  forecast: DataAt<'/forecast'>,
  { base, changed }: Schemas['WhatIfResponse'],
  found: DataAt<'/expenses'>,
): void {
  expectType<FreeExplanation>()(explainFree(forecast));
  expectType<string | undefined>()(explainFree(changed).kept?.date);
  expectType<ShortDays[]>()(shortDays(base));
  expectType<{ date: string; leaves: string } | undefined>()(firstFit(base, '25.00'));
  // @ts-expect-error: an amount is no number
  firstFit(base, 25);
  expectType<PlanAgainstReality>()(planAgainstReality(found.expenses));
  expectType<string>()(convertToUsd('812.35', '0.050000'));
}

export function recurrences(
  expense: Schemas['ExpenseTemplateResponse'],
  income: Schemas['IncomeTemplateResponse'],
  form: Schemas['CreateExpenseTemplateDto'],
  computed: Schemas['ComputeOccurrencesDto'],
): void {
  const rules: RecurrenceRule[] = [expense, income, form, computed];
  expectType<string[]>()(rules.map((rule) => recurrenceText(rule, 'es-MX')));
  const reference_date = '2026-01-30';
  recurrenceText(
    { recurrence_type: 'weekly', recurrence_config: { day_of_week: 5 }, reference_date },
    'en',
  );
  recurrenceText(
    // @ts-expect-error: the config is that of another type
    { recurrence_type: 'monthly', recurrence_config: { day_of_week: 5 }, reference_date },
    'en',
  );
  // @ts-expect-error: the locale is required
  recurrenceText(expense);
}

export function warnings(
  forecast: DataAt<'/forecast'>,
  { warnings: ofPreview }: Schemas['PreviewResponse'],
): void {
  const all = [...forecast.warnings, ...ofPreview];
  expectType<string[]>()(all.map((warning) => warningMessage(warning, 'en')));
}

export function reading(): void {
  const cycle = queries.query('/cycles/{id}', { params: { path } });
  expectType<Query<Schemas['CycleResponse']>>()(cycle);
  const state = cycle.getSnapshot();
  expectType<QueryState<Schemas['CycleResponse']>>()(state);
  expectType<string | undefined>()(state.data?.remaining_balance);
  expectType<string | undefined>()(state.etag);
  expectType<unknown>()(state.error);
  const unsubscribe: () => void = cycle.subscribe(() => undefined);
  unsubscribe();

  // Without `this`, as frameworks call them.
  const { getSnapshot, subscribe } = cycle;
  expectType<(listener: () => void) => () => void>()(subscribe);
  expectType<() => QueryState<Schemas['CycleResponse']>>()(getSnapshot);

  queries.query('/cycles');
  queries.query('/cycles', { params: { query: { status: 'active' } } });
  // @ts-expect-error: the id is required
  queries.query('/cycles/{id}');
  // @ts-expect-error: a status that does not exist
  queries.query('/cycles', { params: { query: { status: 'finished' } } });
  // @ts-expect-error: a path without GET
  queries.query('/cycles/{id}/carry-over', { params: { path } });
  // @ts-expect-error: a query ends its requests itself
  queries.query('/cycles', { signal: new AbortController().signal });

  expectType<Schemas['CyclePageResponse'] | undefined>()(
    undefined as DataAt<'/cycles'> | undefined,
  );
  const paths: GetPath[] = ['/cycles', '/forecast', '/auth/me'];
  expectType<number>()(paths.length);
}

/** As a component that is generic in the path does. */
export function generic<Path extends GetPath>(
  query: Query<DataAt<Path>>,
): DataAt<Path> | undefined {
  return query.getSnapshot().data;
}

export async function writing(): Promise<void> {
  const cycle = { name: 'June', start_date: '2026-06-01', end_date: '2026-07-12' };
  const created = await queries.send('POST', '/cycles', {
    body: { ...cycle, income_amount: '5000.00' },
  });
  expectType<Schemas['CycleResponse']>()(created.data);
  expectType<string>()(created.etag);
  expectType<string | undefined>()(created.operationId);
  expectType<Sent<Operation<'post', '/cycles'>>>()(created);
  const tag: string | undefined = queries
    .query('/cycles/{id}', { params: { path } })
    .getSnapshot().etag;
  await queries.send('PUT', '/cycles/{id}', {
    params: { path },
    body: { name: 'July' },
    ifMatch: tag,
    signal: new AbortController().signal,
  });
  const deleted = await queries.send('DELETE', '/cycles/{id}', { params: { path }, ifMatch: tag });
  expectType<undefined>()(deleted.data);

  // @ts-expect-error: `end_date` is required
  await queries.send('POST', '/cycles', { body: { name: 'June', start_date: '2026-06-01' } });
  // @ts-expect-error: the body is required
  await queries.send('POST', '/cycles');
  // @ts-expect-error: a method that the path does not support
  await queries.send('PATCH', '/cycles/{id}', { params: { path }, body: {} });
  // @ts-expect-error: a path that does not exist
  await queries.send('POST', '/api/v1/cycles', { body: cycle });
  // @ts-expect-error: not a method of a write
  await queries.send('GET', '/cycles');
  // @ts-expect-error: the user has no tag that would be compared
  await queries.send('PUT', '/auth/me', { body: { first_name: 'Ana' }, ifMatch: '"a"' });

  const undone = await queries.undo(path.id);
  expectType<string>()(undone.data.operation_id);
  expectType<string | undefined>()(undone.operationId);
  const { data } = await client.undoOperation(path.id, { signal: new AbortController().signal });
  expectType<Schemas['OperationUndoResponse']>()(data);
  // @ts-expect-error: the operation is required
  await queries.undo();
}
