import type { ValidationError } from 'class-validator';
import type { FieldErrors, FieldReason } from '../errors/field-reasons.js';
import { reasonOf } from './constraint-reasons.js';

/** Characters of a refused name that an error repeats. */
const MAX_NAME_LENGTH = 100;

/**
 * The errors of fields whose names are the client's; those that are equal as far as they are shown
 * are one field.
 */
export const errorsOfNames = (
  names: readonly string[],
  reason: FieldReason,
  messageOf: (name: string) => string,
): FieldErrors =>
  Object.fromEntries(
    names.map(truncate).map((name) => [name, [{ reason, message: messageOf(name) }]]),
  );

export const unknownFields = (paths: readonly string[]): FieldErrors =>
  errorsOfNames(paths, 'unknown_field', (path) => `property ${path} should not exist`);

/** The first failed check of each field, by dotted path. */
export function fieldErrors(errors: readonly ValidationError[], parent = ''): FieldErrors {
  const fields: FieldErrors = {};
  const unknown: string[] = [];
  for (const error of errors) {
    const path = parent + error.property;
    const [constraint, message] = Object.entries(error.constraints ?? {})[0] ?? [];
    if (constraint === 'whitelistValidation') unknown.push(path);
    else if (constraint) {
      // Its message begins with the name of the field.
      fields[path] = [{ reason: reasonOf(error, constraint), message: `${parent}${message}` }];
    }
    Object.assign(fields, fieldErrors(error.children ?? [], `${path}.`));
  }
  return { ...fields, ...unknownFields(unknown) };
}

/** The beginning of a long name. */
export function truncate(path: string): string {
  const characters = Array.from(path.slice(0, 2 * MAX_NAME_LENGTH));
  return path.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join('')}…` : path;
}
