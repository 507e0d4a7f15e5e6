import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';

/**
 * The schema of an object of the class or null. With a type beside `allOf`, openapi-python-client
 * does not expect null.
 */
export const orNull = (type: Type): { allOf: { $ref: string }[]; nullable: true } => ({
  allOf: [{ $ref: getSchemaPath(type) }],
  nullable: true,
});
