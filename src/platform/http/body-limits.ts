/** The limit of a JSON body; every valid one fits, even with all its text escaped. */
export const MAX_JSON_BYTES = 131_072;

/** The limit of a body that is read from anyone, such as that of a sign-in. */
export const MAX_PUBLIC_BODY_BYTES = 16_384;
