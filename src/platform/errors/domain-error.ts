import type { ErrorBody } from './error-body.js';
import type { DetailsArgument, DetailsOf, ErrorCode, ResourceName } from './error-types.js';
import {
  byField,
  byRow,
  countErrors,
  firstErrors,
  type FieldErrors,
  type RowErrors,
} from './field-reasons.js';

/**
 * An expected failure with a stable code. Services throw it; only the error filter knows the HTTP
 * status.
 */
export class DomainError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly details: DetailsOf<Code>;

  constructor(
    readonly code: Code,
    message: string,
    ...[details]: DetailsArgument<Code>
  ) {
    super(message);
    this.name = code;
    this.details = (details ?? {}) as DetailsOf<Code>;
  }

  /** The error with further details. */
  withDetails(further: Partial<DetailsOf<Code>>): DomainError<Code> {
    const details = { ...this.details, ...further };
    return new DomainError(this.code, this.message, ...([details] as DetailsArgument<Code>));
  }

  /** The body of the response. */
  toBody(): ErrorBody {
    const { code, message, details } = this;
    return { success: false, error: { code, message, details: { ...details } } };
  }
}

/** The access token of the request is missing or refused: the response names the scheme. */
export class AccessTokenError extends DomainError<'INVALID_TOKEN'> {}

const MAX_MESSAGE_LENGTH = 300;

/** Problems of a request that an error names: a body can have thousands of unknown fields. */
const MAX_NAMED_PROBLEMS = 100;

/** Failed validation; the message joins the messages of the fields, as many as fit. */
export class ValidationFailedError extends DomainError<'VALIDATION_ERROR'> {
  /**
   * @param errors of all fields, of which the first ones are named
   * @param index of the element of a list that the errors are about
   */
  constructor(
    readonly errors: FieldErrors,
    index?: number,
  ) {
    const named = firstErrors(errors, MAX_NAMED_PROBLEMS);
    const more = countErrors(errors) - countErrors(named);
    const fields = byField(named, 'message');
    super('VALIDATION_ERROR', joinUpTo(MAX_MESSAGE_LENGTH, Object.values(fields).flat()), {
      fields,
      reasons: byField(named, 'reason'),
      ...(more > 0 && { more }),
      ...(index !== undefined && { index }),
    });
  }
}

/** Rows of a file that an error names. */
const MAX_NAMED_ROWS = 100;

/** Failed validation of a file; the message joins the messages of the lines, as many as fit. */
export class RowsFailedError extends DomainError<'VALIDATION_ERROR'> {
  /** @param all the errors of all rows, of which the first ones are named */
  constructor(all: RowErrors) {
    // Keys that are numbers are in ascending order.
    const lines = Object.entries(all);
    const errors: RowErrors = Object.fromEntries(lines.slice(0, MAX_NAMED_ROWS));
    const rows = byRow(errors, 'message');
    const messages = Object.entries(rows).flatMap(([line, columns]) =>
      Object.values(columns)
        .flat()
        .map((message) => `line ${line}: ${message}`),
    );
    super('VALIDATION_ERROR', joinUpTo(MAX_MESSAGE_LENGTH, messages), {
      rows,
      row_reasons: byRow(errors, 'reason'),
      ...(lines.length > MAX_NAMED_ROWS && { more: lines.length - MAX_NAMED_ROWS }),
    });
  }
}

/**
 * Joins the first texts whose total length fits; a first text that is too long by itself is
 * truncated.
 */
function joinUpTo(length: number, [first = '', ...others]: readonly string[]): string {
  const characters = Array.from(first);
  if (characters.length > length) return `${characters.slice(0, length - 1).join('')}…`;
  let joined = first;
  for (const other of others) {
    const longer = `${joined}; ${other}`;
    if (Array.from(longer).length > length) break;
    joined = longer;
  }
  return joined;
}

/** The resource does not exist or belongs to another user; the response does not reveal which. */
export class ResourceNotFoundError extends DomainError<'RESOURCE_NOT_FOUND'> {
  /** @param place which one of several records of the request it is */
  constructor(resource: ResourceName, place: { id?: string; index?: number } = {}) {
    super('RESOURCE_NOT_FOUND', notFoundMessage(resource), { resource, ...place });
  }
}

/** `household_member`: "Household member not found". */
function notFoundMessage(resource: string): string {
  const noun = nounOf(resource);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`;
}

/** Another record of the kind and owner has the name, active or not. */
export class NameTakenError extends DomainError<'RESOURCE_CONFLICT'> {
  constructor(resource: ResourceName, existing?: { id: string; active: boolean }) {
    super('RESOURCE_CONFLICT', `A ${nounOf(resource)} with this name already exists`, {
      resource,
      ...(existing && { id: existing.id, active: existing.active }),
    });
  }
}

/** What a request adds would be more than there may be. */
export class LimitReachedError extends DomainError<'RESOURCE_CONFLICT'> {
  constructor(resource: ResourceName, limit: number) {
    super('RESOURCE_CONFLICT', `At most ${limit} ${nounOf(resource)}s are possible`, {
      resource,
      limit,
    });
  }
}

interface Addition {
  /** How many there are. */
  stored: number;
  /** How many the request adds. */
  added?: number;
  limit: number;
}

/** @throws LimitReachedError when there would be more than the limit; not when nothing is added */
export function assertWithinLimit(
  resource: ResourceName,
  { stored, added = 1, limit }: Addition,
): void {
  if (added > 0 && stored + added > limit) throw new LimitReachedError(resource, limit);
}

const nounOf = (resource: string): string => resource.replaceAll('_', ' ');

/** A problem that the operator can solve. The message is shown without a stack trace. */
export class OperatorError extends Error {}
