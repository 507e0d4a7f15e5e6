import {
  createParamDecorator,
  SetMetadata,
  ValidationPipe,
  type ArgumentMetadata,
  type ExecutionContext,
  type Type,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidatorOptions } from 'class-validator';
import type { Request } from 'express';
import { ValidationFailedError } from '../errors/domain-error.js';
import type { FieldErrors } from '../errors/field-reasons.js';
import { errorsOfNames, fieldErrors, truncate, unknownFields } from './field-errors.js';

/**
 * Deeper than any valid body; without a maximum the recursive validators could exhaust the stack.
 */
const MAX_DEPTH = 8;

/** Keys that Nest and class-transformer drop silently; they are reported as unknown fields. */
const isPrototypeKey = (key: string): boolean => key === 'prototype' || key in Object.prototype;

const QUERY_OPTIONS: ValidatorOptions = {
  whitelist: true,
  // Required fields have their own validator, `IsRequired`.
  skipMissingProperties: true,
  stopAtFirstError: true,
};
export const BODY_OPTIONS: ValidatorOptions = { ...QUERY_OPTIONS, forbidNonWhitelisted: true };

const OPTIONAL_BODY = Symbol('OPTIONAL_BODY');

/** The body of this class may be omitted, which means `{}`. */
export const OptionalBody = (): ClassDecorator => SetMetadata(OPTIONAL_BODY, true);

const pipeOptions = (options: ValidatorOptions): ValidationPipeOptions => ({
  ...options,
  transform: true,
  exceptionFactory: (errors) => new ValidationFailedError(fieldErrors(errors)),
});

/**
 * Checks bodies and queries against their DTO classes and reports every refused field at once.
 * Bodies with unknown fields are rejected; unknown query parameters are ignored.
 */
export class RequestValidationPipe extends ValidationPipe {
  private readonly queries = new ValidationPipe(pipeOptions(QUERY_OPTIONS));
  /**
   * Queries that may be empty, and are not validated then: that takes a fifth of the CPU of a small
   * read.
   */
  private readonly optionalQueries = new Set<Type>();

  constructor() {
    super(pipeOptions(BODY_OPTIONS));
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype || (type !== 'body' && type !== 'query')) return value;
    if (type === 'query') return this.transformQuery(value ?? {}, metatype, metadata);
    if (value === undefined && Reflect.hasMetadata(OPTIONAL_BODY, metatype)) {
      return super.transform(value, metadata);
    }
    assertPlainBody(value);
    const unknown = Object.entries(value).flatMap(([key, inner]) => prototypePaths(key, inner));
    if (unknown.length === 0) return super.transform(value, metadata);
    const errors = await this.errorsOf(withoutPrototypeKeys(value), metadata);
    // A field that takes no object is refused itself.
    const refused = Object.keys(errors);
    const paths = unknown.filter((path) => !refused.some((field) => path.startsWith(`${field}.`)));
    throw new ValidationFailedError({ ...errors, ...unknownFields(paths) });
  }

  private async errorsOf(value: unknown, metadata: ArgumentMetadata): Promise<FieldErrors> {
    try {
      await super.transform(value, metadata);
      return {};
    } catch (error) {
      if (error instanceof ValidationFailedError) return error.errors;
      throw error;
    }
  }

  private async transformQuery(
    query: object,
    metatype: Type,
    metadata: ArgumentMetadata,
  ): Promise<unknown> {
    const isEmpty = Object.keys(query).length === 0;
    if (isEmpty && this.optionalQueries.has(metatype)) return new metatype() as unknown;
    assertScalars(query, metatype);
    const dto: unknown = await this.queries.transform(query, metadata);
    if (isEmpty) this.optionalQueries.add(metatype);
    return dto;
  }
}

/** The route takes no body: any other than none or `{}` is refused. */
export const NoBody = createParamDecorator((_data: unknown, context: ExecutionContext): void => {
  const body: unknown = context.switchToHttp().getRequest<Request>().body;
  if (body === undefined) return;
  assertPlainBody(body);
  assertNone(unknownFields(Object.keys(body)));
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
function assertNone(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new ValidationFailedError(errors);
}

/** Refuses what is not a JSON object or is nested too deeply. */
function assertPlainBody(body: unknown): asserts body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationFailedError({
      body: [{ reason: 'not_an_object', message: 'body must be a JSON object' }],
    });
  }
  const tooDeep = Object.entries(body).filter(([, value]) => isDeeperThan(value, MAX_DEPTH));
  const names = tooDeep.map(([name]) => name);
  assertNone(errorsOfNames(names, 'too_deep', (name) => `${name} is nested too deeply`));
}

/** Refuses `name[...]=`, an array or object, for a parameter that takes a single value. */
function assertScalars(query: object, metatype: Type): void {
  const bracketed = Object.keys(query).filter((key) => key.includes('['));
  if (bracketed.length === 0) return;
  const parameters = getMetadataStorage()
    .getTargetValidationMetadatas(metatype, '', false, false)
    .map(({ propertyName }) => propertyName)
    .filter((name) => bracketed.some((key) => key.startsWith(`${name}[`)));
  assertNone(errorsOfNames(parameters, 'repeated', (name) => `${name} must be a single value`));
}

/** The paths of the prototype keys in a value, and its own if its key is one. */
function prototypePaths(key: string, value: unknown): string[] {
  if (isPrototypeKey(key)) return [key];
  if (typeof value !== 'object' || value === null) return [];
  // Thousands of paths can begin with the same long name.
  const parent = truncate(key);
  return Object.entries(value)
    .flatMap(([inner, innerValue]) => prototypePaths(inner, innerValue))
    .map((path) => `${parent}.${path}`);
}

function withoutPrototypeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key]) => !isPrototypeKey(key));
  return Object.fromEntries(own.map(([key, inner]) => [key, withoutPrototypeKeys(inner)]));
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
