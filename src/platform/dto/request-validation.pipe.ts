import {
  createParamDecorator,
  SetMetadata,
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  validate,
  type ValidationError,
  type ValidatorOptions,
} from 'class-validator';
import type { Request } from 'express';
import { ValidationFailedError } from '../errors/domain-error.js';
import type { FieldError, FieldErrors, FieldReason } from '../errors/field-reasons.js';
import { reasonOf } from './constraint-reasons.js';

/** Deeper than any valid body; without a maximum the recursive validators could exhaust the stack. */
const MAX_DEPTH = 8;

/** Unknown fields that an error names. */
const MAX_UNKNOWN_FIELDS = 20;
const MAX_PATH_LENGTH = 100;

/** Keys that Nest and class-transformer drop silently; they are reported as unknown fields. */
const isPrototypeKey = (key: string): boolean => key === 'prototype' || key in Object.prototype;

const QUERY_OPTIONS: ValidatorOptions = {
  whitelist: true,
  // Required fields have their own validator, `IsRequired`.
  skipMissingProperties: true,
  validationError: { target: false },
};
const BODY_OPTIONS: ValidatorOptions = { ...QUERY_OPTIONS, forbidNonWhitelisted: true };

const OPTIONAL_BODY = Symbol('OPTIONAL_BODY');

/** The body of this class may be omitted, which means `{}`. */
export const OptionalBody = (): ClassDecorator => SetMetadata(OPTIONAL_BODY, true);

/**
 * Checks bodies and queries against their DTO classes and reports every refused field at once.
 * Bodies with unknown fields are rejected; unknown query parameters are ignored (docs/api.md).
 */
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (!metatype || (type !== 'body' && type !== 'query')) return value;
    if (type === 'query') {
      const query = value ?? {};
      assertScalars(query, metatype);
      return validateDto(query, metatype, QUERY_OPTIONS);
    }
    const isOmitted = value === undefined && Reflect.hasMetadata(OPTIONAL_BODY, metatype);
    const body = isOmitted ? {} : value;
    assertPlainBody(body);
    return validateDto(body, metatype, BODY_OPTIONS);
  }
}

/** For a route that takes no body: refuses any other than none or `{}`. */
export const NoBody = createParamDecorator((_data: unknown, context: ExecutionContext): void => {
  const body: unknown = context.switchToHttp().getRequest<Request>().body;
  if (body === undefined) return;
  assertPlainBody(body);
  const fields = unknownFields(Object.keys(body));
  if (Object.keys(fields).length > 0) throw new ValidationFailedError(fields);
});

/** The DTO of the values, with the errors of its invalid fields. */
export async function checkFields<Dto extends object>(
  metatype: Type<Dto>,
  values: object,
): Promise<{ dto: Dto; errors: FieldErrors }> {
  const dto = plainToInstance(metatype, values);
  return { dto, errors: fieldErrors(await validate(dto, BODY_OPTIONS)) };
}

const pipe = new RequestValidationPipe();

/**
 * Validates values like the JSON body of a request.
 *
 * @throws ValidationFailedError
 */
export async function validateBody<Dto>(metatype: Type<Dto>, values: object): Promise<Dto> {
  return (await pipe.transform(values, { type: 'body', metatype })) as Dto;
}

/** @throws ValidationFailedError */
async function validateDto(
  values: object,
  metatype: Type,
  options: ValidatorOptions,
): Promise<object> {
  const dto = plainToInstance(metatype, values) as object;
  const errors = await validate(dto, options);
  if (errors.length > 0) throw new ValidationFailedError(fieldErrors(errors));
  return dto;
}

/** Errors by dotted path; of unknown fields only the first {@link MAX_UNKNOWN_FIELDS}. */
export function fieldErrors(errors: ValidationError[], parent = ''): FieldErrors {
  const unknown = errors.filter(isUnknown);
  return {
    ...flatten(
      errors.filter((error) => !isUnknown(error)),
      parent,
    ),
    ...unknownFields(unknown.map(({ property }) => parent + property)),
  };
}

const only = (reason: FieldReason, message: string): FieldError[] => [{ reason, message }];

const isUnknown = ({ constraints }: ValidationError): boolean =>
  constraints?.whitelistValidation !== undefined;

/** Bounded in number and length: a body can have thousands of unknown fields with long names. */
function unknownFields(paths: readonly string[]): FieldErrors {
  const names = paths.slice(0, MAX_UNKNOWN_FIELDS).map(truncate);
  return Object.fromEntries(
    names.map((name) => [name, only('unknown_field', `property ${name} should not exist`)]),
  );
}

function truncate(path: string): string {
  const characters = Array.from(path.slice(0, 2 * MAX_PATH_LENGTH));
  return path.length > MAX_PATH_LENGTH ? `${characters.slice(0, MAX_PATH_LENGTH).join('')}…` : path;
}

function flatten(errors: ValidationError[], parent: string): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const path = parent + error.property;
    if (error.constraints) {
      fields[path] = Object.entries(error.constraints).map(([constraint, message]) => ({
        reason: reasonOf(error, constraint),
        message: message.startsWith(`${error.property} `) ? parent + message : message,
      }));
    }
    Object.assign(fields, fieldErrors(error.children ?? [], `${path}.`));
  }
  return fields;
}

function assertPlainBody(body: unknown): asserts body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationFailedError({ body: only('not_an_object', 'body must be a JSON object') });
  }
  // Entries, because assigning to `__proto__` would set no field.
  const entries = Object.entries(body);
  const tooDeep = entries.filter(([, value]) => isDeeperThan(value, MAX_DEPTH)).map(([key]) => key);
  const unknown = entries
    .filter(([key]) => !tooDeep.includes(key))
    .flatMap(([key, value]) => prototypePaths(key, key, value));
  const nested = tooDeep.slice(0, MAX_UNKNOWN_FIELDS).map(truncate);
  const fields = {
    ...Object.fromEntries(
      nested.map((name) => [name, only('too_deep', `${name} is nested too deeply`)]),
    ),
    ...unknownFields(unknown),
  };
  if (Object.keys(fields).length > 0) throw new ValidationFailedError(fields);
}

/** Rejects `name[...]=`, an array or object, for a parameter that takes a single value. */
function assertScalars(query: object, metatype: Type): void {
  const names = Object.keys(query)
    .filter((key) => key.includes('['))
    .map((key) => key.slice(0, key.indexOf('[')));
  if (names.length === 0) return;
  const parameters = new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(metatype, '', false, false)
      .map(({ propertyName }) => propertyName),
  );
  const bracketed = names.filter((name) => parameters.has(name));
  if (bracketed.length > 0) {
    throw new ValidationFailedError(
      Object.fromEntries(
        bracketed.map((name) => [name, only('repeated', `${name} must be a single value`)]),
      ),
    );
  }
}

/** The paths of prototype keys: `key`, which is at `path`, or those within its value. */
function prototypePaths(key: string, path: string, value: unknown): string[] {
  if (isPrototypeKey(key)) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, innerValue]) =>
    prototypePaths(inner, `${path}.${inner}`, innerValue),
  );
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
