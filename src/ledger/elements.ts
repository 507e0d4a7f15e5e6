import type { Change } from '../activity/mutation.js';
import { ConversionError } from '../exchange-rates/conversion.js';
import { DomainError, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import type { CycleEntry } from './entities/cycle-entry.entity.js';

/** An element of a body that changes several entries, and the entry that it changes. */
export interface EntryElement<Entry extends CycleEntry, Dto> extends Change<Entry> {
  dto: Dto;
  index: number;
}

/** @param changes of the entries that the elements name, in the same order */
export const entryElements = <Entry extends CycleEntry, Dto>(
  dtos: readonly Dto[],
  changes: readonly Change<Entry>[],
): EntryElement<Entry, Dto>[] =>
  dtos.flatMap((dto, index) => {
    const change = changes[index];
    return change ? [{ ...change, dto, index }] : [];
  });

/**
 * Checks or changes the elements of a list in a body, one after another.
 *
 * @param list the name of the list
 * @throws DomainError of the first element that fails, with its index and the path of its fields
 */
export function forEachElement<Element extends { index: number }>(
  list: string,
  elements: readonly Element[],
  work: (element: Element) => void,
): void {
  for (const element of elements) {
    try {
      work(element);
    } catch (error) {
      throw ofElement(error, `${list}.${element.index}.`, element.index);
    }
  }
}

function ofElement(error: unknown, path: string, index: number): unknown {
  if (error instanceof ValidationFailedError) {
    const errors: FieldErrors = {};
    for (const [name, all] of Object.entries(error.errors)) {
      errors[path + name] = all.map(({ reason, message }) => ({ reason, message: path + message }));
    }
    return new ValidationFailedError(errors, index);
  }
  if (!(error instanceof ConversionError)) return error;
  const { fields = {}, ...details } = error.details;
  const named: Record<string, string[]> = {};
  for (const [name, messages] of Object.entries(fields)) named[path + name] = messages;
  return new DomainError(error.code, error.message, { ...details, fields: named, index });
}
