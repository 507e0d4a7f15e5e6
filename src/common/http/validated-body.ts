import type { Type } from '@nestjs/common';
import { RequestValidationPipe } from './request-validation.pipe.js';

const pipe = new RequestValidationPipe();

/**
 * The values as a request with that body would have them, by the same rules.
 *
 * @throws ValidationFailedError
 */
export async function validatedBody<Dto>(metatype: Type<Dto>, values: object): Promise<Dto> {
  return (await pipe.transform(values, { type: 'body', metatype })) as Dto;
}
