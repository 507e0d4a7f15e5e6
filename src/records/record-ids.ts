/** The ids of records in the OpenAPI document: their examples and the path parameters. */
import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { UuidProperty } from '../platform/dto/response-fields.js';
import { UuidPipe } from '../platform/http/uuid.pipe.js';
import { documentedParameter } from '../platform/openapi/documented-parameter.js';

/** One for each resource type. */
export const EXAMPLE_ID = {
  user: '0b7f5a52-3c1e-4a86-9d0e-5f1c2b7a9e01',
  session: '3e9a1c74-5b28-4d06-9f3c-7a8b6c5d4e0a',
  personalAccessToken: '6a1d8f35-7c42-4e9b-8b06-3d5e9f7a1c0b',
  household: '5d0c9f3a-8a44-4a5e-9a35-7f7c1d2e3b02',
  paymentMethod: '2f6d1c8e-94b7-4c0f-8f0d-1a2b3c4d5e03',
  expenseTemplate: '8c3e7b10-6f52-4d7a-b1a9-9e8d7c6b5a04',
  incomeTemplate: '3b9e5f17-0c2d-4e8a-b6f4-7d1a9c3e5b0a',
  cycle: 'c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05',
  expense: 'e9b2d6f8-15a0-4b3c-a7d6-6b5a49382706',
  income: '7a4c1e93-5d6b-4f20-9e38-2c0b8d6f4a0b',
  comment: '47d8f2a6-c0e3-4951-b8f4-3c2d1e0f9a07',
  activity: 'a6f4c2e0-3b5d-4f7a-9c1e-8d0b2f4a6c08',
  operation: '5e8b2d70-9c41-4f36-a7e2-1b0d3c5f7a0d',
  undoneOperation: 'b1c7f9e3-4d2a-4068-9e5b-3f8a6c0d2e0e',
  invitation: '91e3a7c5-d2f4-4680-8b0a-c4e6f8a0b209',
  calendarFeed: 'd4f6a8c0-2e1b-4d3f-9a5c-7b9d1f3e5a0c',
  budget: 'f2a8c6e4-1b3d-4f5a-8c7e-9d0b2a4c6e0f',
  balance: '9a4d7c21-5e8b-4f36-b0d9-3c6e1f8a2b0c',
  cardStatement: '4b8e1d63-7f2a-4c95-a1e8-6d0c9b3f5a0d',
} as const;

/** The record that an error of an undo is about, in its details. */
export const ActivityIdProperty = (): PropertyDecorator =>
  UuidProperty(EXAMPLE_ID.activity, {
    required: false,
    description: 'Of the undo of an operation: the record that cannot be undone',
  });

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
