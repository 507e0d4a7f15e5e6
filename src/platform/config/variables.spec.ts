import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { OperatorError } from '../errors/domain-error.js';
import { misspeltSettings } from './misspelt-settings.js';
import { loadSettings } from './settings.js';

const SECRET = 'a secret that has more than 32 characters';
const URL_WITHOUT_PASSWORD = 'postgres://ana@db.example:6432/service?application_name=x';

describe('secrets in mounted files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'variables-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function mounted(content: string): string {
    const file = join(folder, 'secret');
    writeFileSync(file, content);
    return file;
  }

  it.each(['', '\n', '\r\n'])(
    'secrets in mounted files are read without the line break at the end: %j',
    (end) => {
      const { authSecret } = loadSettings({
        DATA_DIR: 'memory://',
        AUTH_SECRET_FILE: mounted(SECRET + end),
      });
      expect(authSecret).toBe(SECRET);
    },
  );

  it('secrets in mounted files are read without the byte order mark at the beginning', () => {
    const AUTH_SECRET_FILE = mounted(`\uFEFF${SECRET}\r\n`);
    const { authSecret } = loadSettings({ DATA_DIR: 'memory://', AUTH_SECRET_FILE });
    expect(authSecret).toBe(SECRET);
  });

  it('secrets in mounted files may be the whole DATABASE_URL', () => {
    const DATABASE_URL_FILE = mounted(`${URL_WITHOUT_PASSWORD}\n`);
    const { database } = loadSettings({ DATABASE_URL_FILE });
    expect(database).toMatchObject({ kind: 'server', url: URL_WITHOUT_PASSWORD });
  });

  it.each(['plain', 'p@ss:w/o#r?d%41', ' spaced ', 'contraseña'])(
    'secrets in mounted files may be the password of DATABASE_URL: %j',
    (password) => {
      const DATABASE_PASSWORD_FILE = mounted(password);
      const { database } = loadSettings({
        DATABASE_URL: URL_WITHOUT_PASSWORD,
        DATABASE_PASSWORD_FILE,
      });
      const connectionString = database.kind === 'server' ? database.url : '';
      const client = new pg.Client({ connectionString });
      const { user, host, port, database: name } = client;
      expect({ user, host, port, name, password: client.password }).toEqual({
        ...{ user: 'ana', host: 'db.example', port: 6432, name: 'service' },
        password,
      });
    },
  );

  it.each([
    [
      'AUTH_SECRET and its file',
      { AUTH_SECRET: SECRET, AUTH_SECRET_FILE: '' },
      'exclude each other',
    ],
    [
      'a URL and its file',
      { DATABASE_URL: 'postgres://x', DATABASE_URL_FILE: '' },
      'exclude each other',
    ],
    ['a password without a URL', { DATABASE_PASSWORD_FILE: '' }, 'requires a DATABASE_URL'],
    [
      'a password for a URL that has one',
      { DATABASE_URL: 'postgres://ana:secret@db/x', DATABASE_PASSWORD_FILE: '' },
      'requires a DATABASE_URL without a password',
    ],
  ])('%s are refused', (_, env, problem) => {
    const file = mounted(SECRET);
    const variables = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value || file]),
    );
    expect(() => loadSettings(variables)).toThrow(OperatorError);
    expect(() => loadSettings(variables)).toThrow(problem);
  });

  it('secrets in mounted files are refused when they have too few different characters', () => {
    const AUTH_SECRET_FILE = mounted('\0'.repeat(64));
    expect(() => loadSettings({ DATA_DIR: 'memory://', AUTH_SECRET_FILE })).toThrow(
      'AUTH_SECRET must have at least 8 different characters',
    );
  });

  it('secrets in mounted files are refused when they are empty or cannot be read, and named by the variable', () => {
    expect(() => loadSettings({ AUTH_SECRET_FILE: mounted('\n') })).toThrow(
      /^AUTH_SECRET_FILE: .* is empty$/,
    );
    expect(() => loadSettings({ AUTH_SECRET_FILE: join(folder, 'none') })).toThrow(
      /^AUTH_SECRET_FILE: ENOENT/,
    );
  });
});

describe('the variables that Kubernetes sets for other Services', () => {
  const injected = {
    METRICS_PORT: 'tcp://10.96.0.7:9464',
    METRICS_PORT_9464_TCP: 'tcp://10.96.0.7:9464',
    METRICS_PORT_9464_TCP_PORT: '9464',
    METRICS_SERVICE_HOST: '10.96.0.7',
    METRIC_PORT: 'tcp://10.96.0.8:80',
  };

  it('the variables that Kubernetes sets for other Services are not settings', () => {
    expect(loadSettings({ DATA_DIR: 'memory://', ...injected }).metricsPort).toBeUndefined();
    expect(misspeltSettings(injected)).toEqual([]);
  });

  it('the variables that Kubernetes sets for other Services do not hide an invalid setting', () => {
    expect(() => loadSettings({ DATA_DIR: 'memory://', METRICS_PORT: '9464/tcp' })).toThrow(
      'METRICS_PORT',
    );
  });
});
