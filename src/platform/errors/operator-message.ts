import { DataFolderError, EmbeddedPostgresError } from '#embedded-postgres';
import { OperatorError } from './domain-error.js';

/** The message of a problem that the operator can solve; undefined for other errors. */
export function operatorMessage(error: unknown): string | undefined {
  if (error instanceof DataFolderError) return `DATA_DIR ${error.message}`;
  if (error instanceof OperatorError || error instanceof EmbeddedPostgresError) {
    return error.message;
  }
  return undefined;
}
