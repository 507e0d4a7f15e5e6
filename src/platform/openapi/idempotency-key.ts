import { ERROR_CODES_EXTENSION } from '../errors/api-errors.decorator.js';
import { IDEMPOTENCY_KEY_HEADER, NO_IDEMPOTENCY_KEY_EXTENSION } from '../http/route-decorators.js';
import type { Operation } from './responses.js';

/** Documents the `Idempotency-Key` header of an authenticated POST and its errors. */
export function addIdempotencyKey(
  operation: Operation & { [NO_IDEMPOTENCY_KEY_EXTENSION]?: boolean },
): void {
  const isIgnored = operation[NO_IDEMPOTENCY_KEY_EXTENSION] === true;
  Reflect.deleteProperty(operation, NO_IDEMPOTENCY_KEY_EXTENSION);
  if (isIgnored || !operation.security) return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: IDEMPOTENCY_KEY_HEADER,
      in: 'header',
      required: false,
      description:
        'Makes the request safe to repeat: sent again with the same key within 24 hours, it has no ' +
        'effect and gets the first response. Any 1 to 255 visible ASCII characters, such as a UUID',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '7c0f3b1e-52d9-4f5a-9a86-1e4b7d2c8f60',
    },
  ];
  operation[ERROR_CODES_EXTENSION] = [
    ...(operation[ERROR_CODES_EXTENSION] ?? []),
    'IDEMPOTENCY_KEY_IN_USE',
    'IDEMPOTENCY_KEY_REUSED',
  ];
}
