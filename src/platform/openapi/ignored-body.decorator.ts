import { ApiExtension } from '@nestjs/swagger';

/** Marks operations until the OpenAPI document is built. */
export const IGNORED_BODY_EXTENSION = 'x-ignored-body';

/** Documents that no body is read, so that none is refused. */
export const IgnoresBody = (): MethodDecorator => ApiExtension(IGNORED_BODY_EXTENSION, true);
