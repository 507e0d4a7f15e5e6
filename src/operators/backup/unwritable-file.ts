import { OperatorError } from '../../platform/errors/domain-error.js';

/** A file that a command creates cannot be written. */
class UnwritableFileError extends OperatorError {}

const NOT_ALLOWED = 'name one in a folder that the user of this command is allowed to write to';
const NO_FOLDER = 'create its folder, or name another one';
const NO_SPACE = 'free some space, or name one on another disk';

const ADVICE: Record<string, string> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: NOT_ALLOWED,
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
};

/**
 * What to tell an operator when `file` could not be written; other errors, also of other files, as
 * they are.
 */
export function explainUnwritable(file: string, error: unknown): unknown {
  const { code = '', path = file } = error as NodeJS.ErrnoException;
  const advice = path.startsWith(file) ? ADVICE[code] : undefined;
  return advice === undefined
    ? error
    : new UnwritableFileError(`${file} cannot be written (${code}): ${advice}`);
}
