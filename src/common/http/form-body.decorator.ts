import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { routeMetadata } from './route-metadata.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
const FORM_BODY = Symbol('FORM_BODY');

/** The route takes a URL-encoded form instead of JSON. */
export const FormBody = (): MethodDecorator =>
  applyDecorators(SetMetadata(FORM_BODY, true), ApiConsumes(FORM_TYPE));

export const takesForm = routeMetadata<true>(FORM_BODY);
