import type { OpenAPIObject } from '@nestjs/swagger';

/** The security scheme of the tokens of a sign-in: the default name of `@ApiBearerAuth()`. */
export const SIGN_IN = 'bearer';
export const PERSONAL_ACCESS_TOKEN = 'personalAccessToken';

/** Marks operations that refuse personal access tokens until the OpenAPI document is built. */
export const SIGN_IN_EXTENSION = 'x-requires-sign-in';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  [SIGN_IN_EXTENSION]?: boolean;
};

/** Adds personal access tokens to an operation that takes them in place of the token of a sign-in. */
export function addTokenSecurity(operation: Operation): void {
  const requiresSignIn = operation[SIGN_IN_EXTENSION] ?? false;
  Reflect.deleteProperty(operation, SIGN_IN_EXTENSION);
  const { security } = operation;
  // Without it, tools cannot tell an open operation from one whose security was forgotten.
  if (!security) operation.security = [];
  else if (!requiresSignIn) operation.security = [...security, { [PERSONAL_ACCESS_TOKEN]: [] }];
}
