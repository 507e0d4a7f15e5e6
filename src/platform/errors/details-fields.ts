/** Fields that the details of several error codes have, with their schemas. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export const MESSAGES = { type: 'array', items: { type: 'string' } };

/** Messages by field, with an example of a field and its message. */
export const FieldsProperty = (field: string, message: string): PropertyDecorator =>
  ApiPropertyOptional({
    type: 'object',
    additionalProperties: MESSAGES,
    description: 'The messages of each refused field, with the dotted path of nested fields',
    example: { [field]: [message] },
  });

export const IndexProperty = (): PropertyDecorator =>
  ApiProperty({
    type: 'integer',
    minimum: 0,
    required: false,
    description: 'Which element of the list in the body the error is about, counted from 0',
    example: 3,
  });
