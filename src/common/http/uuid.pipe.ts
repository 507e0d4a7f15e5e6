import { Param, type PipeTransform, type ArgumentMetadata } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ValidationFailedError } from '../errors/domain-error.js';

class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    const field = data ?? 'id';
    if (!isUUID(value, 'loose'))
      throw new ValidationFailedError({ [field]: [`${field} must be a UUID`] });
    return value.toLowerCase();
  }
}

/** A path parameter that must be a UUID, in lower case. */
export const UuidParam = (name: string): ParameterDecorator => Param(name, UuidPipe);
