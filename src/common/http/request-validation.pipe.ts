import {
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import { ValidationFailedError, type FieldErrors } from '../errors/domain-error.js';

/** No valid body is nested deeper; past it the recursive validators could exhaust the stack. */
const MAX_DEPTH = 8;

/** Keys that the object mapper drops in silence; they are unknown fields like any other. */
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype'];

/**
 * Checks bodies and queries against their DTO classes and reports every refused field at once.
 * Bodies with fields the DTO does not know are refused; unknown query parameters are ignored.
 */
export class RequestValidationPipe implements PipeTransform {
  private readonly bodies = new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (errors) => new ValidationFailedError(fieldErrors(errors)),
  });

  private readonly queries = new ValidationPipe({
    transform: true,
    whitelist: true,
    exceptionFactory: (errors) => new ValidationFailedError(fieldErrors(errors)),
  });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    switch (metadata.type) {
      case 'body':
        assertPlainBody(value);
        return this.bodies.transform(value, metadata);
      case 'query':
        return this.queries.transform(value, metadata);
      case 'param':
      case 'custom':
        return value;
    }
  }
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
  const fields: FieldErrors = {};
  for (const [key, value] of Object.entries(body)) {
    if (PROTOTYPE_KEYS.includes(key)) fields[key] = [`property ${key} should not exist`];
    else if (isDeeperThan(value, MAX_DEPTH)) fields[key] = [`${key} is nested too deeply`];
  }
  if (Object.keys(fields).length > 0) throw new ValidationFailedError(fields);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
