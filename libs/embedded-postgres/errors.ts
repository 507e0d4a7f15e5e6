/** A problem that the operator can solve; the message says how. */
export class EmbeddedPostgresError extends Error {}
