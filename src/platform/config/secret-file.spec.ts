import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../errors/domain-error.js';
import { MIN_SECRET_LENGTH, readOrCreateSecret } from './secret-file.js';

describe('the secret in a folder', () => {
  let folder: string;
  const file = (): string => join(folder, 'auth-secret');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the secret in a folder is created once, long enough and for its owner alone', () => {
    const secret = readOrCreateSecret(folder);
    expect(secret.length).toBeGreaterThanOrEqual(MIN_SECRET_LENGTH);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['auth-secret']);
  });

  it.each(['', ' \n', 'x'.repeat(MIN_SECRET_LENGTH - 1), `${'x'.repeat(10)}${' '.repeat(40)}`])(
    'the secret in a folder is refused when it is too short: %j',
    (content) => {
      writeFileSync(file(), content);
      expect(() => readOrCreateSecret(folder)).toThrow(OperatorError);
      expect(() => readOrCreateSecret(folder)).toThrow(`${file()} has fewer than 32 characters`);
    },
  );

  it('the secret in a folder may end with a line break, as an editor leaves it', () => {
    const secret = 'x'.repeat(MIN_SECRET_LENGTH);
    writeFileSync(file(), `${secret}\n`);
    expect(readOrCreateSecret(folder)).toBe(secret);
  });

  it('the secret in a folder is reported in one line when the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const inFile = join(folder, 'file', 'data');
    expect(() => readOrCreateSecret(inFile)).toThrow(`DATA_DIR ${inFile}: auth-secret cannot be`);
  });
});
