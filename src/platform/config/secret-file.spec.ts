import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../errors/domain-error.js';
import { readOrCreateSecret } from './secret-file.js';

/** A secret as the service writes it. */
const WRITTEN = 'k3Vw9bYw0pM1e-ZtQ8sR_4uXhJ6nLdC7gFaT2yOiB5E';

describe('the secret in a folder', () => {
  let folder: string;
  const file = (): string => join(folder, 'auth-secret');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the secret in a folder is created once, long enough and for its owner alone', () => {
    const secret = readOrCreateSecret(folder);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readOrCreateSecret(folder)).toBe(secret);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['auth-secret']);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['NUL bytes', '\0'.repeat(43)],
    ['one character repeated', 'A'.repeat(43)],
    ['a character that is not in base64url', `${WRITTEN.slice(0, 42)}+`],
    ['bytes that are no text', Buffer.alloc(43, 0xff)],
    ['one character too few', WRITTEN.slice(0, 42)],
    ['one character too many', `${WRITTEN}x`],
    ['a secret twice', `${WRITTEN}\n${WRITTEN}`],
    ['a short secret and spaces', `${WRITTEN.slice(0, 10)}${' '.repeat(40)}`],
  ])(
    'the secret in a folder is refused where the service did not write it: %s',
    (_case, content) => {
      writeFileSync(file(), content);
      const written = readFileSync(file());
      expect(() => readOrCreateSecret(folder)).toThrow(OperatorError);
      expect(() => readOrCreateSecret(folder)).toThrow(
        `${file()} is not a secret that the service wrote (43 characters of base64url): restore it, or remove it`,
      );
      expect(readFileSync(file())).toEqual(written);
    },
  );

  it('the secret in a folder may end with a line break, as an editor leaves it', () => {
    const secret = WRITTEN;
    writeFileSync(file(), `${secret}\n`);
    expect(readOrCreateSecret(folder)).toBe(secret);
  });

  it('the secret in a folder is reported in one line when the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const inFile = join(folder, 'file', 'data');
    expect(() => readOrCreateSecret(inFile)).toThrow(`DATA_DIR ${inFile}: auth-secret cannot be`);
  });
});
