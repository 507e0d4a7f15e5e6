import { ApiExtension } from '@nestjs/swagger';

/** Marks operations until the OpenAPI document is built. */
export const UNCOUNTED_EXTENSION = 'x-uncounted';

/** Documents that no rate limit counts the requests. */
export const Uncounted = (): MethodDecorator & ClassDecorator =>
  ApiExtension(UNCOUNTED_EXTENSION, true);
