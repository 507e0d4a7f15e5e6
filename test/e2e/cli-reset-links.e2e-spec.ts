import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ENGINE, useSandbox, type CliDatabase } from '../support/cli.js';
import { expectError } from '../support/errors.js';
import { CONFIRM_PATH, NEW_PASSWORD } from '../support/service-with-mail.js';
import { Service, TEST_PASSWORD } from '../support/service.js';

const sandbox = useSandbox();

describe('reset links of operators', () => {
  const PAGE = 'https://app.example.com/reset-password#';
  let database: CliDatabase;

  beforeAll(async () => {
    database = await sandbox.database(ENGINE);
    for (const email of ['ana@example.com', 'luis@example.com', 'eva@example.com']) {
      await database.print(['users', 'create', email], `${TEST_PASSWORD}\n`);
    }
  });

  const linkFor = async (email: string): Promise<string> => {
    const { code, stdout, stderr } = await database.run(['users', 'reset-link', email]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Valid once, until \d{4}-\d\d-\d\dT[\d:.]+Z, for \S+@example\.com\.\n$/,
    );
    return stdout;
  };

  it('reset links of operators are printed alone, with the page or without it the token', async () => {
    expect(await linkFor('ana@example.com')).toMatch(/^[\w-]{43}\n$/);
    const withPage = database.with({ PASSWORD_RESET_URL: `${PAGE}{token}` });
    const { stdout } = await withPage.run(['users', 'reset-link', ' ANA@example.com']);
    expect(stdout.startsWith(PAGE)).toBe(true);
    expect(stdout.slice(PAGE.length)).toMatch(/^[\w-]{43}\n$/);
    expect(await database.run(['users', 'reset-link', 'nobody@example.com'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'User nobody@example.com not found\n',
    });
  });

  it('reset links of operators end with set-email, set-password and deactivate, and are in no export', async () => {
    const ended = [
      await linkFor('ana@example.com'),
      await linkFor('luis@example.com'),
      await linkFor('eva@example.com'),
    ];
    await database.print(['users', 'set-email', 'ana@example.com', 'anita@example.com']);
    await database.print(['users', 'set-password', 'luis@example.com'], 'another password\n');
    await database.print(['users', 'deactivate', 'eva@example.com']);
    const inactive = await linkFor('eva@example.com');
    const valid = await linkFor('anita@example.com');

    const file = sandbox.path('backup.jsonl.gz');
    await database.print(['export', file]);
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('password_reset_tokens');

    const service = new Service();
    await service.start({ database: database.settings });
    const confirm = (link: string) =>
      service.anonymous.post(CONFIRM_PATH, { token: link.trim(), new_password: NEW_PASSWORD });
    try {
      for (const link of ended) expectError(await confirm(link), 401, 'INVALID_TOKEN');
      expectError(await confirm(inactive), 403, 'INACTIVE_USER');
      expect((await confirm(valid)).status).toBe(204);
      await service.signIn('anita@example.com', NEW_PASSWORD);
    } finally {
      await service.stop();
    }
  });
});
