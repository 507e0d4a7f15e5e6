import { canConvertTo } from '../exchange-rates/conversion.js';
import { assertCycleDates } from '../ledger/cycle-errors.js';
import { DomainError, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { validateBody } from '../platform/dto/request-validation.pipe.js';
import { ROW_CLASSES } from './dto/document.dto.js';
import { CycleRowDto, ExpenseRowDto, IncomeRowDto } from './dto/rows.dto.js';
import type { DocumentRow } from './document-reader.js';

/**
 * The problems of a row by their place in the document, without those that depend on other rows.
 *
 * @param maxDays the maximum length of a cycle
 */
export async function rowProblems(
  { section, path, value }: DocumentRow,
  maxDays: number,
): Promise<FieldErrors> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { [path]: [{ reason: 'not_an_object', message: `${path} must be a JSON object` }] };
  }
  try {
    const row: object = await validateBody<object>(ROW_CLASSES[section], value);
    return withPath(path, contradictions(row, maxDays));
  } catch (error) {
    if (!(error instanceof ValidationFailedError)) throw error;
    return withPath(path, error.errors);
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

/** Between valid fields of a row. */
function contradictions(row: object, maxDays: number): FieldErrors {
  if (row instanceof CycleRowDto) return cycleContradictions(row, maxDays);
  if (row instanceof ExpenseRowDto) {
    return { ...paymentContradictions(row), ...entryContradictions(row) };
  }
  return row instanceof IncomeRowDto ? entryContradictions(row) : {};
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
  };
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
