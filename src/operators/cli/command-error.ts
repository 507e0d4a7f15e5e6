import { FolderInUseError } from '#embedded-postgres';
import { isReadOnly } from '../../platform/errors/database-failure.js';
import {
  DomainError,
  OperatorError,
  ValidationFailedError,
} from '../../platform/errors/domain-error.js';
import { operatorMessage } from '../../platform/errors/operator-message.js';

/** A problem of a command that the operator can solve. */
export class CommandError extends OperatorError {}

/** The message for the operator; unexpected errors are bugs and keep their stack. */
export function explain(error: unknown): string {
  if (error instanceof ValidationFailedError) {
    return Object.values(error.details.fields ?? {})
      .flat()
      .join('\n');
  }
  if (error instanceof DomainError) return error.message;
  if (isReadOnly(error)) return 'The database server is read-only';
  if (error instanceof FolderInUseError) {
    return `${error.message} (the service, when it runs on the embedded database)`;
  }
  const message = operatorMessage(error);
  if (message !== undefined) return message;
  if (isFileError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  const { code, path } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && typeof path === 'string';
}
