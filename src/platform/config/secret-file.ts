import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '#embedded-postgres';
import { OperatorError } from '../errors/domain-error.js';

const FILE = 'auth-secret';
const PRIVATE_FILE = 0o600;
/** Permission bits of the group and of other users. */
const GROUP_AND_OTHERS = 0o077;

const SECRET_BYTES = 32;
/** A secret as the service writes it, in base64url; one character repeated is a damaged file. */
const WRITTEN_SECRET = /^([\w-])(?!\1{42})[\w-]{42}$/;

/**
 * Reads the secret in `folder`, and creates it on the first call. Without a folder it returns a new
 * secret.
 *
 * The file is created atomically; two processes that create it at the same time read the same
 * secret.
 *
 * @throws OperatorError when the file cannot be read or created, or its content is not what this
 *   function writes
 */
export function readOrCreateSecret(folder: string | undefined): string {
  if (folder === undefined) return newSecret();
  const file = join(folder, FILE);
  const secret = readFile(folder, file);
  if (!WRITTEN_SECRET.test(secret)) {
    throw new OperatorError(
      `${file} is not a secret that the service wrote (43 characters of base64url): restore it, or remove it to create a new one, which ends all sessions`,
    );
  }
  return secret;
}

function readFile(folder: string, file: string): string {
  try {
    if (!existsSync(file)) {
      createFolder(folder);
      create(file);
    }
    const { mode } = statSync(file);
    if ((mode & GROUP_AND_OTHERS) !== 0) chmodSync(file, mode & ~GROUP_AND_OTHERS);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `DATA_DIR ${folder}: ${FILE} cannot be read or created (${String(code)})`,
    );
  }
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

function create(file: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, newSecret(), { mode: PRIVATE_FILE, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
