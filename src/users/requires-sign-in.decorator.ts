import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { SIGN_IN_EXTENSION } from '../platform/openapi/security.js';

/** Whether a route refuses personal access tokens. */
export const IsSignInRequired = Reflector.createDecorator<boolean>();

/**
 * Refuses personal access tokens: the route manages the account or the household, or what it gives
 * would outlive the token. `false` at a method exempts it from the decorator of its controller.
 */
export const RequiresSignIn = (isRequired = true): MethodDecorator & ClassDecorator =>
  applyDecorators(IsSignInRequired(isRequired), ApiExtension(SIGN_IN_EXTENSION, isRequired));
