/** The security scheme of the tokens of a sign-in: the default name of `@ApiBearerAuth()`. */
export const SIGN_IN = 'bearer';
export const PERSONAL_ACCESS_TOKEN = 'personalAccessToken';

/** Marks operations that refuse personal access tokens until the OpenAPI document is built. */
export const SIGN_IN_EXTENSION = 'x-requires-sign-in';
