import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Prefix of every path of the API; health probes and the documentation are outside it. */
export const API_PREFIX = 'api/v1';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

const PUBLIC = Symbol('PUBLIC');

/** Allows requests without an access token. Every other route requires one. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/** Adds a decorator of the OpenAPI document to the method of a parameter. */
export const documentedParameter =
  (bind: ParameterDecorator, document: MethodDecorator): ParameterDecorator =>
  (target, key, index) => {
    bind(target, key, index);
    if (key === undefined) return;
    const method = Object.getOwnPropertyDescriptor(target, key);
    if (method) document(target, key, method);
  };

const reflector = new Reflector();

export const isPublic = (context: ExecutionContext): boolean =>
  reflector.getAllAndOverride(PUBLIC, [context.getHandler(), context.getClass()]) === true;
