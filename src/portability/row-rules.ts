import { isTooLate, TOO_LATE } from '../balances/stated-at.js';
import { closingErrors, dueDateErrors } from '../cards/statement-errors.js';
import { MAX_DAYS_AHEAD } from '../cards/statement-range.js';
import { canConvertTo } from '../exchange-rates/conversion.js';
import { assertCycleDates } from '../ledger/entities/cycle-errors.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { unknownFields } from '../platform/dto/field-errors.js';
import { validateBody } from '../platform/dto/request-validation.pipe.js';
import { DomainError, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { withPauses } from '../platform/process/pauses.js';
import { addDays, type CalendarDate } from '../platform/values/calendar-date.js';
import { MAX_DAYS_BETWEEN_ZONES } from '../platform/values/time-zone.js';
import { fieldsIn } from '../records/record-fields.js';
import type { Section } from '../records/record-types.js';
import { DocumentProblems, problem } from './document-problems.js';
import { laterFields } from './document-versions.js';
import type { ParsedDocument } from './document.js';
import { CardStatementRowDto } from './dto/card-statement-row.dto.js';
import { ROW_CLASSES, SECTIONS, type DocumentRows } from './dto/document.dto.js';
import {
  BalanceRowDto,
  CycleRowDto,
  ExpenseRowDto,
  IncomeRowDto,
  PaymentMethodRowDto,
} from './dto/rows.dto.js';

/**
 * Every valid row fits, even with all its text escaped. Bounds the time that its validation takes.
 */
const MAX_ROW_LENGTH = 128 * 1024;

/** What the rules of rows depend on. */
interface RowLimits {
  /** The owner's day. */
  today: CalendarDate;
  /** The maximum length of a cycle. */
  maxDays: number;
}

/**
 * The rows of all sections, each one validated by itself. Removes the unchecked ones, so that they
 * do not take memory beside the others.
 *
 * @throws ValidationFailedError with the places of the first rows that have problems
 */
export async function validateRows(
  { version, rows: unchecked }: ParsedDocument,
  limits: RowLimits,
): Promise<DocumentRows> {
  const problems = new DocumentProblems();
  const rows = new Map<Section, object[]>();
  for (const section of SECTIONS) {
    const validated: object[] = [];
    const later = laterFields(version, section);
    for await (const [index, value] of withPauses(unchecked[section].entries())) {
      const type: new () => object = ROW_CLASSES[section];
      const path = `${section}.${index}`;
      const { row, errors } = await validateRow(type, path, value, limits);
      problems.add({ ...errors, ...laterFieldErrors(path, later, value) });
      if (row) validated.push(row);
      unchecked[section][index] = undefined;
    }
    rows.set(section, validated);
  }
  problems.assertNone();
  return Object.fromEntries(rows) as DocumentRows;
}

/** The errors of those of the fields that a row has, where only a later version has them. */
const laterFieldErrors = (path: string, fields: readonly string[], row: unknown): FieldErrors =>
  typeof row === 'object' && row !== null
    ? unknownFields(fields.filter((field) => field in row).map((field) => `${path}.${field}`))
    : {};

async function validateRow(
  type: new () => object,
  path: string,
  value: unknown,
  limits: RowLimits,
): Promise<{ row?: object; errors: FieldErrors }> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { errors: problem(path, 'not_an_object', 'must be a JSON object') };
  }
  if (JSON.stringify(value).length > MAX_ROW_LENGTH)
    return { errors: problem(path, 'too_long', 'is too long') };
  try {
    const row = await validateBody(type, value);
    return { row, errors: withPath(path, contradictions(row, limits)) };
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return { errors: withPath(path, error.errors) };
  }
}

function withPath(path: string, fields: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([field, errors]) => [
      `${path}.${field}`,
      errors.map(({ reason, message }) => ({
        reason,
        message: message.startsWith(`${field} `) ? `${path}.${message}` : message,
      })),
    ]),
  );
}

const contradiction = (field: string, problem: string): FieldErrors => ({
  [field]: [{ reason: 'contradiction', message: `${field} ${problem}` }],
});

/** The contradictions between valid fields of a row. */
function contradictions(row: object, { today, maxDays }: RowLimits): FieldErrors {
  if (row instanceof PaymentMethodRowDto) return methodContradictions(row, today);
  if (row instanceof CardStatementRowDto) return statementContradictions(row, today);
  if (row instanceof CycleRowDto) return cycleContradictions(row, maxDays);
  if (row instanceof BalanceRowDto) return balanceContradictions(row);
  if (row instanceof ExpenseRowDto) {
    return { ...paymentContradictions(row), ...entryContradictions(row) };
  }
  return row instanceof IncomeRowDto ? entryContradictions(row) : {};
}

function methodContradictions(row: PaymentMethodRowDto, today: CalendarDate): FieldErrors {
  try {
    PaymentMethod.createAgain(fieldsIn(PaymentMethod.fields, row), today);
    return {};
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return error.errors;
  }
}

/** It may have closed in the time zone that the owner had when it was exported. */
function statementContradictions(row: CardStatementRowDto, today: CalendarDate): FieldErrors {
  const { closing_date: closingDate, due_date: dueDate, paid } = row;
  const latestToday = addDays(today, MAX_DAYS_BETWEEN_ZONES);
  const errors = {
    ...dueDateErrors(dueDate, closingDate),
    ...closingErrors(row, closingDate, latestToday),
  };
  if (closingDate > addDays(latestToday, MAX_DAYS_AHEAD)) {
    const far = `must be at most ${MAX_DAYS_AHEAD} days after today`;
    Object.assign(errors, problem('closing_date', 'too_far_apart', far));
  }
  for (const field of ['amount', 'paid_at', 'paid_amount'] as const) {
    if (isNone(row[field]) === paid) {
      Object.assign(errors, contradiction(field, `contradicts paid ${paid}`));
    }
  }
  return errors;
}

function cycleContradictions(cycle: CycleRowDto, maxDays: number): FieldErrors {
  try {
    assertCycleDates({ startDate: cycle.start_date, endDate: cycle.end_date }, maxDays);
    return {};
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return contradiction('end_date', `is not allowed: ${error.message}`);
  }
}

const balanceContradictions = ({ stated_at: statedAt }: BalanceRowDto): FieldErrors =>
  isTooLate(statedAt, new Date()) ? { stated_at: [TOO_LATE] } : {};

const isNone = (value: unknown): boolean => value === undefined || value === null;

function paymentContradictions({ status, paid_at }: ExpenseRowDto): FieldErrors {
  if ((status === 'paid') !== isNone(paid_at)) return {};
  return contradiction('paid_at', `contradicts status ${status}`);
}

function entryContradictions(entry: ExpenseRowDto | IncomeRowDto): FieldErrors {
  const isGenerated = !isNone(entry.occurrence_date);
  return {
    ...conversionContradictions(entry),
    ...(isGenerated &&
      isNone(entry.template_id) &&
      contradiction('template_id', 'is required with occurrence_date')),
    ...(isGenerated === isNone(entry.generated) &&
      contradiction('generated', 'must be given exactly with occurrence_date')),
    ...instalmentContradictions(entry),
  };
}

function instalmentContradictions({
  instalment,
  occurrence_date: occurrence,
}: ExpenseRowDto | IncomeRowDto): FieldErrors {
  if (!instalment) return {};
  if (isNone(occurrence))
    return contradiction('instalment', 'must be null without occurrence_date');
  if (instalment.number <= instalment.count) return {};
  return contradiction('instalment', 'must have a number of at most its count');
}

function conversionContradictions(entry: ExpenseRowDto | IncomeRowDto): FieldErrors {
  const { currency, amount, amount_usd: usd, exchange_rate: conversion } = entry;
  if (currency === 'USD') {
    return {
      ...(!usd.eq(amount) && contradiction('amount_usd', 'must be the amount, which is in USD')),
      ...(conversion && contradiction('exchange_rate', 'must be null for an amount in USD')),
    };
  }
  if (!conversion || canConvertTo({ amount, rate: conversion.rate, result: usd })) return {};
  return contradiction('amount_usd', 'contradicts amount and exchange_rate');
}
