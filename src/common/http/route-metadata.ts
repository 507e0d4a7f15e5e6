import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

type MetadataOf<Value> = (context: ExecutionContext) => Value | undefined;

/** Reads what a decorator has set on a route: on its handler, or else on its class. Looked up once for each. */
export function routeMetadata<Value>(key: symbol): MetadataOf<Value> {
  const reflector = new Reflector();
  const known = new WeakMap<object, { controller: object; value: Value | undefined }>();
  return (context) => {
    const handler = context.getHandler();
    const controller = context.getClass();
    const found = known.get(handler);
    if (found?.controller === controller) return found.value;
    const value = reflector.getAllAndOverride<Value | undefined>(key, [handler, controller]);
    known.set(handler, { controller, value });
    return value;
  };
}
