import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/**
 * The value null. OpenAPI 3.0 ignores `nullable` beside a reference, and has no type of null. A component of its own,
 * because orval 7 generates nothing for an inline schema of null.
 */
export const NULL_VALUE: Schemas = {
  NullValue: { type: 'string', nullable: true, enum: [null], description: 'null' },
};

/** The variants of a property that is an object of the class or null. */
export const orNull = (type: Type): { $ref: string }[] =>
  [type, 'NullValue'].map((schema) => ({ $ref: getSchemaPath(schema) }));
