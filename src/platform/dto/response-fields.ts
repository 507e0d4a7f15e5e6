/** Decorators for the fields of responses: OpenAPI type, format and example. */
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { EnumName } from '../openapi/enum-name.js';
import { EXAMPLE_INSTANT } from './example-values.js';

interface PropertyOptions {
  example: unknown;
  description?: string;
  nullable?: boolean;
  required?: boolean;
}

const property = (api: ApiPropertyOptions, options: object): PropertyDecorator =>
  ApiProperty({ ...api, ...options });

export const UuidProperty = (
  example: string,
  options: Partial<PropertyOptions> = {},
): PropertyDecorator => property({ type: 'string', format: 'uuid' }, { example, ...options });

export const TextProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'string' }, options);

/** An amount with exactly 2 decimals, such as `"-12.50"`. */
export const MoneyProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'string', pattern: String.raw`^-?\d+\.\d{2}$` }, options);

/** An amount of 0.00 or more with exactly 2 decimals. */
export const NonNegativeMoneyProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'string', pattern: String.raw`^\d+\.\d{2}$` }, options);

export const CountProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'integer', minimum: 0 }, options);

export const IntegerProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'integer' }, options);

export const DateProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'string', format: 'date' }, options);

export const InstantProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'string', format: 'date-time' }, options);

export const CreatedAtProperty = (): PropertyDecorator =>
  InstantProperty({ example: EXAMPLE_INSTANT.created, description: 'Time of the creation' });

export const UpdatedAtProperty = (): PropertyDecorator =>
  InstantProperty({
    example: EXAMPLE_INSTANT.updated,
    description: 'Time of the last change; unaffected by an update that changes nothing',
  });

export const BooleanProperty = (options: PropertyOptions): PropertyDecorator =>
  property({ type: 'boolean' }, options);

export const EnumProperty = (
  values: readonly string[],
  enumName: EnumName,
  options: PropertyOptions,
): PropertyDecorator => property({ enum: [...values], enumName }, options);
