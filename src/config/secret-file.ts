import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'auth-secret';

/**
 * The secret kept in `folder`, made at the first call; without a folder a new one each time.
 *
 * The file appears whole or not at all, and of two processes that make it at once both read the same.
 */
export function readOrCreateSecret(folder: string | undefined): string {
  if (folder === undefined) return newSecret();
  const file = join(folder, FILE);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    create(file);
  }
  return readFileSync(file, 'utf8');
}

const newSecret = (): string => randomBytes(32).toString('base64url');

function create(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, newSecret(), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
