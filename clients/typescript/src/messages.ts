import { entryOf, filled } from './catalogue.js';
import {
  ApiError,
  isApiError,
  NetworkError,
  UnexpectedResponseError,
  type ErrorCode,
} from './errors.js';
import { ENGLISH } from './messages.en.js';
import { SPANISH } from './messages.es.js';
import type { Schemas } from './types.js';

/** `es` is the Spanish of Mexico. */
export type MessageLanguage = 'en' | 'es';

type FieldReason = Schemas['FieldReason'];

/** What is more precise than the message of the code, or has no code. */
type MessageCase =
  | 'network'
  | 'unexpected'
  | 'unknown'
  | 'usedLink'
  | 'tooLarge'
  | 'badRequest'
  | 'rows'
  | 'nameTaken'
  | 'limitReached'
  | 'changedSince'
  | 'accountNotEmpty'
  | 'cycleTooLong'
  | 'noRate'
  | 'tooManyEntries';

/** The messages of a language. `{name}` is replaced by a value. */
export interface Messages {
  codes: Record<ErrorCode, string>;
  cases: Record<MessageCase, string>;
  reasons: Record<FieldReason, string>;
  /** Added in parentheses to the message of a reason. */
  bounds: Record<'range' | 'atLeast' | 'atMost', string>;
}

const MESSAGES: Record<MessageLanguage, Messages> = { en: ENGLISH, es: SPANISH };

/**
 * A sentence or two for the user about an error that the client has thrown. Any other error, and a
 * code of a newer service, is "Something went wrong".
 */
export function messageOf(error: unknown, language: MessageLanguage): string {
  const { codes, cases } = MESSAGES[language];
  if (error instanceof NetworkError) return cases.network;
  if (error instanceof UnexpectedResponseError) return cases.unexpected;
  if (!isApiError(error)) return cases.unknown;
  return caseOf(error, cases) ?? entryOf(codes, error.code) ?? cases.unknown;
}

/**
 * What the user has to change in a field, for a reason of `details.reasons`. A reason of a newer
 * service is "Please check what you have entered".
 */
export function reasonMessage(reason: string, language: MessageLanguage): string {
  const { reasons, codes } = MESSAGES[language];
  return entryOf(reasons, reason) ?? codes.VALIDATION_ERROR;
}

/**
 * The message of each refused field, by its path in the API, such as
 * `recurrence_config.day_of_month`. Empty for an error that refuses no fields.
 *
 * The message is that of the reason, followed by the bounds of the field, which only the English
 * message of the service has: "This is too long (1 to 100)." Without them it is that of the reason
 * alone.
 */
export function fieldErrors(error: unknown, language: MessageLanguage): Record<string, string> {
  if (isApiError(error, 'VALIDATION_ERROR')) {
    const { fields = {}, reasons = {} } = error.details;
    const paths = Object.keys({ ...fields, ...reasons });
    return byField(paths, (path) =>
      withBounds(reasonMessage(reasons[path]?.[0] ?? '', language), fields[path]?.[0], language),
    );
  }
  if (isApiError(error, 'CURRENCY_CONVERSION_ERROR', 'INVALID_CYCLE_DATES')) {
    return byField(Object.keys(error.details.fields ?? {}), () => messageOf(error, language));
  }
  return {};
}

/** A message that depends on the details of the error. */
function caseOf(error: ApiError, cases: Messages['cases']): string | undefined {
  if (isApiError(error, 'VALIDATION_ERROR')) {
    const { fields, rows } = error.details;
    if (error.status === 413) return cases.tooLarge;
    if (rows) return cases.rows;
    return fields ? undefined : cases.badRequest;
  }
  if (isApiError(error, 'INVALID_TOKEN')) {
    return error.response.url.includes('/account/') ? cases.usedLink : undefined;
  }
  if (isApiError(error, 'RESOURCE_CONFLICT')) {
    const { limit, fields, id, resource } = error.details;
    if (limit !== undefined) return filled(cases.limitReached, { limit });
    if (fields) return cases.changedSince;
    if (id !== undefined) return cases.nameTaken;
    return resource === 'account' ? cases.accountNotEmpty : undefined;
  }
  if (isApiError(error, 'INVALID_CYCLE_DATES')) {
    const { start_date: start, end_date: end, max_days: max } = error.details;
    return max === undefined || end <= start ? undefined : filled(cases.cycleTooLong, { max });
  }
  if (isApiError(error, 'CURRENCY_CONVERSION_ERROR')) {
    return error.details.from_currency === undefined ? undefined : cases.noRate;
  }
  if (isApiError(error, 'CYCLE_GENERATION_ERROR')) {
    const { limit } = error.details;
    return limit === undefined ? undefined : filled(cases.tooManyEntries, { limit });
  }
  return undefined;
}

const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const RANGE = new RegExp(`${NUMBER} (?:to|and) ${NUMBER}`);
const AT_LEAST = new RegExp(`at least ${NUMBER}`);
const AT_MOST = new RegExp(`at most ${NUMBER}`);

/** The message with the bounds that the message of the service names, if there are any. */
function withBounds(
  message: string,
  serviceMessage: string | undefined,
  language: MessageLanguage,
): string {
  const { bounds } = MESSAGES[language];
  const found = (pattern: RegExp): RegExpExecArray | null => pattern.exec(serviceMessage ?? '');
  const [, min, max] = found(RANGE) ?? [];
  const [, least] = found(AT_LEAST) ?? [];
  const [, most] = found(AT_MOST) ?? [];
  let text: string | undefined;
  if (min !== undefined && max !== undefined) text = filled(bounds.range, { min, max });
  else if (least !== undefined) text = filled(bounds.atLeast, { min: least });
  else if (most !== undefined) text = filled(bounds.atMost, { max: most });
  return text === undefined ? message : message.replace(/\.$/, ` (${text}).`);
}

function byField(paths: string[], messageAt: (path: string) => string): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, messageAt(path)]));
}
