import { Param, type PipeTransform, type ArgumentMetadata } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { EXAMPLE_ID } from '../dto/example-values.js';
import { ValidationFailedError } from '../errors/domain-error.js';
import { documentedParameter } from '../openapi/documented-parameter.js';

class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    const field = data ?? 'id';
    if (!isUUID(value, 'loose'))
      throw new ValidationFailedError({
        [field]: [{ reason: 'not_a_uuid', message: `${field} must be a UUID` }],
      });
    return value.toLowerCase();
  }
}

/** A path parameter that must be a UUID, converted to lower case; `kind` is the resource type. */
export function UuidParam(name: string, kind: keyof typeof EXAMPLE_ID): ParameterDecorator {
  const noun = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const document = ApiParam({
    name,
    schema: { type: 'string', format: 'uuid', example: EXAMPLE_ID[kind] },
    description: `The ${noun}'s id`,
  });
  return documentedParameter(Param(name, UuidPipe), document);
}
