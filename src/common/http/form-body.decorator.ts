import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
export const FORM_BODY = Symbol('FORM_BODY');

/** The route takes a URL-encoded form instead of JSON. */
export const FormBody = (): MethodDecorator =>
  applyDecorators(SetMetadata(FORM_BODY, true), ApiConsumes(FORM_TYPE));
