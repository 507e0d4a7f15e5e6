import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import { routeMetadata } from '../common/http/route-metadata.js';

const IS_PUBLIC = Symbol('IS_PUBLIC');

/** Opens a route to requests without a token. Every other route is closed. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);

const metadataOf = routeMetadata<true>(IS_PUBLIC);

export const isPublic = (context: ExecutionContext): boolean => metadataOf(context) === true;
