import { ERROR_CODES_EXTENSION } from '../errors/api-errors.decorator.js';
import type { Operation } from './responses.js';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** Marks the operations that take the header until it is documented. */
export const IDEMPOTENCY_KEY_EXTENSION = 'x-idempotency-key';

/** Documents the `Idempotency-Key` header of an operation and its errors. */
export function addIdempotencyKey(
  operation: Operation & { [IDEMPOTENCY_KEY_EXTENSION]?: boolean },
): void {
  if (!Reflect.has(operation, IDEMPOTENCY_KEY_EXTENSION)) return;
  Reflect.deleteProperty(operation, IDEMPOTENCY_KEY_EXTENSION);
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
