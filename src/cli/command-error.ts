import { ExportFileError } from '../backup/export-file.js';
import { DatabaseNotEmptyError } from '../backup/restore.service.js';
import {
  DomainError,
  ValidationFailedError,
  type FieldErrors,
} from '../common/errors/domain-error.js';
import { SettingsError } from '../config/settings.js';
import { FolderInUseError } from '../database/embedded/folder-lock.js';
import { DatabaseUnavailableError } from '../database/open-database.js';
import { RatesFileError } from '../exchange-rates/rates-file.js';

/** What an operator can mend, said in a sentence. */
export class CommandError extends Error {}

const EXPECTED = [
  CommandError,
  SettingsError,
  DatabaseUnavailableError,
  RatesFileError,
  ExportFileError,
  DatabaseNotEmptyError,
];

/** Unexpected errors keep their stack: those are bugs. */
export function explain(error: unknown): string {
  if (error instanceof ValidationFailedError) {
    const fields = error.details.fields as FieldErrors;
    return Object.values(fields).flat().join('\n');
  }
  if (error instanceof DomainError) return error.message;
  if (error instanceof FolderInUseError) {
    return `${error.message} (the service, when it runs on the embedded database)`;
  }
  if (EXPECTED.some((expected) => error instanceof expected)) return (error as Error).message;
  if (isFileError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  const { code, path } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && typeof path === 'string';
}
