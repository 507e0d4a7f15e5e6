import { ConversionError } from '../exchange-rates/conversion.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';

/** @throws ValidationFailedError for the path when the amount cannot be converted */
export function atPath<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    const message = `${path}: ${error.message}`;
    throw new ValidationFailedError({ [path]: [{ reason: 'not_convertible', message }] });
  }
}
