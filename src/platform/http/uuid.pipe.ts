import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ValidationFailedError } from '../errors/domain-error.js';

/** A UUID, converted to lower case. */
export class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    const field = data ?? 'id';
    if (!isUUID(value, 'loose'))
      throw new ValidationFailedError({
        [field]: [{ reason: 'not_a_uuid', message: `${field} must be a UUID` }],
      });
    return value.toLowerCase();
  }
}
