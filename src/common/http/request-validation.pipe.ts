import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  validate,
  type ValidationError,
  type ValidatorOptions,
} from 'class-validator';
import { ValidationFailedError, type FieldErrors } from '../errors/domain-error.js';
import { rememberValidationRules } from './validation-rules.js';

/** No valid body is nested deeper; past it the recursive validators could exhaust the stack. */
const MAX_DEPTH = 8;

/** Keys that Nest and the object mapper drop in silence; they are unknown fields like any other. */
const isPrototypeKey = (key: string): boolean => key === 'prototype' || key in Object.prototype;

const OF_QUERIES: ValidatorOptions = { whitelist: true, validationError: { target: false } };
const OF_BODIES: ValidatorOptions = { ...OF_QUERIES, forbidNonWhitelisted: true };

/**
 * Checks bodies and queries against their DTO classes and reports every refused field at once.
 * Bodies with fields the DTO does not know are refused; unknown query parameters are ignored.
 *
 * It does so by itself, because Nest's pipe looks in every value for what neither JSON nor a query can hold.
 */
export class RequestValidationPipe implements PipeTransform {
  static {
    rememberValidationRules();
  }

  /** What a query without parameters comes to, by its DTO: the same every time. */
  private readonly withoutParameters = new WeakMap<Type, object>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (!metatype || (type !== 'body' && type !== 'query')) return value;
    if (type === 'query') return this.transformQuery(value ?? {}, metatype);
    assertPlainBody(value);
    return checked(value, metatype, OF_BODIES);
  }

  private async transformQuery(query: object, metatype: Type): Promise<object> {
    assertScalars(query, metatype);
    if (Object.keys(query).length > 0) return checked(query, metatype, OF_QUERIES);
    const known = this.withoutParameters.get(metatype);
    if (known) return known;
    const dto = Object.freeze(await checked(query, metatype, OF_QUERIES));
    this.withoutParameters.set(metatype, dto);
    return dto;
  }
}

/** @throws ValidationFailedError */
async function checked(values: object, metatype: Type, options: ValidatorOptions): Promise<object> {
  const dto = plainToInstance(metatype, values) as object;
  const errors = await validate(dto, options);
  if (errors.length > 0) throw new ValidationFailedError(fieldErrors(errors));
  return dto;
}

/** Flattens nested validation errors to messages by dotted path. */
export function fieldErrors(errors: ValidationError[], parent = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const path = parent + error.property;
    if (error.constraints) fields[path] = Object.values(error.constraints);
    Object.assign(fields, fieldErrors(error.children ?? [], `${path}.`));
  }
  return fields;
}

function assertPlainBody(body: unknown): asserts body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ValidationFailedError({ body: ['must be a JSON object'] });
  }
  // Entries, because assigning to `__proto__` would set no field.
  const refused = Object.entries(body).flatMap(([key, value]) =>
    isDeeperThan(value, MAX_DEPTH)
      ? [[key, [`${key} is nested too deeply`]]]
      : prototypePaths(key, key, value).map((path) => [
          path,
          [`property ${path} should not exist`],
        ]),
  );
  if (refused.length > 0) {
    throw new ValidationFailedError(Object.fromEntries(refused) as FieldErrors);
  }
}

/** `name[...]=` asks for an array or an object under a name that takes one value. */
function assertScalars(query: object, metatype: Type): void {
  const names = Object.keys(query)
    .filter((key) => key.includes('['))
    .map((key) => key.slice(0, key.indexOf('[')));
  if (names.length === 0) return;
  const known = new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(metatype, '', false, false)
      .map(({ propertyName }) => propertyName),
  );
  const bracketed = names.filter((name) => known.has(name));
  if (bracketed.length > 0) {
    throw new ValidationFailedError(
      Object.fromEntries(bracketed.map((name) => [name, [`${name} must be a single value`]])),
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
