import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { IN_MEMORY_DATA_DIR, loadSettings, SettingsError, SETTING_NAMES } from './settings.js';

const inMemory = { DATA_DIR: IN_MEMORY_DATA_DIR };
const server = 'postgres://user:password@localhost:5432/service';
const secret = '0123456789abcdef'.repeat(2);

describe('loadSettings', () => {
  it('loadSettings has a default for everything', () => {
    const { authSecret, ...settings } = loadSettings(inMemory);
    expect(settings).toEqual({
      port: 3000,
      host: '0.0.0.0',
      database: { kind: 'embedded', dataDir: IN_MEMORY_DATA_DIR },
      registration: 'open',
      mail: undefined,
      passwordResetUrl: undefined,
      redisUrl: undefined,
      workers: 1,
      isProduction: false,
      shutdown: { delaySeconds: 0, timeoutSeconds: 10 },
      sessionMaxHours: 720,
      cycleMaxDays: 45,
      defaultTimeZone: 'UTC',
      exchangeRatesUrl: undefined,
      trustProxy: 0,
      publicUrl: undefined,
      corsOrigins: [],
      isMcpEnabled: true,
      rateLimits: {
        enabled: true,
        authenticatedPerHour: 1000,
        reportsPerHour: 100,
        authPerMinute: 10,
        authPerAddressPerMinute: 100,
      },
      metricsPort: undefined,
      logLevel: 'info',
      logFormat: 'text',
    });
    expect(authSecret.length).toBeGreaterThanOrEqual(32);
  });

  it('loadSettings takes every setting from its own variable', () => {
    const settings = loadSettings({
      PORT: '1',
      HOST: '127.0.0.1',
      DATABASE_URL: server,
      DATABASE_POOL_SIZE: '8',
      DATABASE_STATEMENT_TIMEOUT_MS: '9',
      DATABASE_LOCK_TIMEOUT_MS: '10',
      DATABASE_WAIT_SECONDS: '11',
      NODE_ENV: 'production',
      DATABASE_TLS: 'verify',
      DATABASE_TLS_CA_FILE: '.env.example',
      DATABASE_APPLICATION_NAME: 'books',
      AUTH_SECRET: secret,
      REGISTRATION: 'closed',
      SMTP_URL: 'smtps://user:pass@mail.example.com:4650',
      MAIL_FROM: 'Gastos <gastos@example.com>',
      PASSWORD_RESET_URL: 'https://app.example.com/reset#{token}',
      REDIS_URL: 'redis://localhost',
      WEB_CONCURRENCY: '12',
      SHUTDOWN_DELAY_SECONDS: '13',
      SHUTDOWN_TIMEOUT_SECONDS: '14',
      TRUST_PROXY: '2',
      PUBLIC_URL: 'https://example.com/gastos',
      CORS_ORIGINS: 'https://a.example',
      MCP_ENABLED: 'false',
      CYCLE_MAX_DAYS: '3',
      DEFAULT_TIME_ZONE: 'America/Mexico_City',
      EXCHANGE_RATES_URL: 'http://rates:8080',
      RATE_LIMIT_ENABLED: 'false',
      RATE_LIMIT_AUTHENTICATED_PER_HOUR: '4',
      RATE_LIMIT_REPORTS_PER_HOUR: '5',
      RATE_LIMIT_AUTH_PER_MINUTE: '6',
      RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE: '7',
      METRICS_PORT: '15',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      SESSION_MAX_HOURS: '24',
    });
    expect(settings).toEqual({
      port: 1,
      host: '127.0.0.1',
      database: {
        kind: 'server',
        url: server,
        poolSize: 8,
        statementTimeoutMs: 9,
        lockTimeoutMs: 10,
        waitSeconds: 11,
        tls: { verify: true, ca: readFileSync('.env.example', 'utf8') },
        applicationName: 'books',
      },
      authSecret: secret,
      registration: 'closed',
      mail: {
        kind: 'smtp',
        host: 'mail.example.com',
        port: 4650,
        isSecure: true,
        user: 'user',
        password: 'pass',
        from: { name: 'Gastos', address: 'gastos@example.com' },
        clientName: 'example.com',
      },
      passwordResetUrl: 'https://app.example.com/reset#{token}',
      redisUrl: 'redis://localhost',
      workers: 12,
      isProduction: true,
      shutdown: { delaySeconds: 13, timeoutSeconds: 14 },
      trustProxy: 2,
      publicUrl: 'https://example.com/gastos',
      corsOrigins: ['https://a.example'],
      isMcpEnabled: false,
      sessionMaxHours: 24,
      cycleMaxDays: 3,
      defaultTimeZone: 'America/Mexico_City',
      exchangeRatesUrl: 'http://rates:8080',
      rateLimits: {
        enabled: false,
        authenticatedPerHour: 4,
        reportsPerHour: 5,
        authPerMinute: 6,
        authPerAddressPerMinute: 7,
      },
      metricsPort: 15,
      logLevel: 'debug',
      logFormat: 'json',
    });
  });

  it('loadSettings takes an empty variable for one that is not set', () => {
    expect(loadSettings({ ...inMemory, PORT: '', DATABASE_URL: '' }).port).toBe(3000);
  });

  it('loadSettings uses a server when one is named', () => {
    const { database } = loadSettings({ DATABASE_URL: server, AUTH_SECRET: secret });
    expect(database).toEqual({
      kind: 'server',
      url: server,
      poolSize: 10,
      statementTimeoutMs: 30_000,
      lockTimeoutMs: 10_000,
      waitSeconds: 60,
      tls: undefined,
      applicationName: 'expense-service',
    });
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['AUTH_SECRET', secret.slice(1)],
    ['AUTH_SECRET', '\0'.repeat(64)],
    ['AUTH_SECRET', '1234567'.repeat(5)],
    ['TRUST_PROXY', 'yes'],
    ['PUBLIC_URL', 'example.com/gastos'],
    ['PUBLIC_URL', '/gastos'],
    ['PUBLIC_URL', '//example.com/gastos'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://ana:secret@example.com'],
    ['PUBLIC_URL', 'https://ana@example.com'],
    ['PUBLIC_URL', 'https://example.com/gastos?'],
    ['PUBLIC_URL', 'https://example.com/gastos?a=1'],
    ['PUBLIC_URL', 'https://example.com/gastos#'],
    ['PUBLIC_URL', 'https://example.com/#docs'],
    ['PUBLIC_URL', 'https://example.com:99999'],
    ['PUBLIC_URL', 'https://example.com/my gastos'],
    ['PUBLIC_URL', 'https://1.2.3.4.0x5'],
    ['PUBLIC_URL', 'https://'],
    ['PUBLIC_URL', `https://example.com/${'a'.repeat(3000)}`],
    ['CORS_ORIGINS', '*'],
    ['CYCLE_MAX_DAYS', '0'],
    ['DEFAULT_TIME_ZONE', 'CST6'],
    ['DEFAULT_TIME_ZONE', '-06:00'],
    ['DEFAULT_TIME_ZONE', 'America/Nowhere'],
    ['EXCHANGE_RATES_URL', 'api.frankfurter.dev'],
    ['EXCHANGE_RATES_URL', 'ftp://api.frankfurter.dev'],
    ['EXCHANGE_RATES_URL', 'https://ana:secret@api.frankfurter.dev'],
    ['EXCHANGE_RATES_URL', 'https://api.frankfurter.dev/v2/rates?base=mxn'],
    ['EXCHANGE_RATES_URL', 'https://api.frankfurter.dev:99999'],
    ['LOG_LEVEL', 'verbose'],
    ['RATE_LIMIT_ENABLED', 'yes'],
    ['RATE_LIMIT_AUTH_PER_MINUTE', '0'],
    ['NODE_ENV', 'prod'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '-1'],
    ['DATABASE_TLS', 'on'],
    ['DATABASE_TLS_CA_FILE', '/nowhere'],
    ['REDIS_URL', 'localhost:6379'],
    ['WEB_CONCURRENCY', '0'],
    ['WEB_CONCURRENCY', '2'],
    ['SHUTDOWN_TIMEOUT_SECONDS', '0'],
    ['METRICS_PORT', '70000'],
    ['LOG_FORMAT', 'xml'],
  ])('loadSettings refuses %s=%s and names it', (name, value) => {
    const load = (): unknown => loadSettings({ ...inMemory, [name]: value });
    expect(load).toThrow(SettingsError);
    expect(load).toThrow(name);
  });

  it.each([
    [
      'AUTH_SECRET',
      'x'.repeat(32),
      'AUTH_SECRET must have at least 8 different characters: make one with openssl rand -hex 32',
    ],
    ['PORT', 'eighty', 'PORT must be an integer number'],
    ['PORT', '65536', 'PORT must be between 0 and 65535'],
    ['PORT', '-1', 'PORT must be between 0 and 65535'],
    ['CYCLE_MAX_DAYS', '-1', 'CYCLE_MAX_DAYS must be between 1 and 3660'],
    ['TRUST_PROXY', '-1', 'TRUST_PROXY must be at least 0'],
    ['RATE_LIMIT_ENABLED', 'yes', 'RATE_LIMIT_ENABLED must be true or false'],
    ['WEB_CONCURRENCY', '0', 'WEB_CONCURRENCY must be between 1 and 256'],
    ['METRICS_PORT', '9464/tcp', 'METRICS_PORT must be an integer number'],
    ['CORS_ORIGINS', '*', 'CORS_ORIGINS: "*" is not an origin such as https://app.example.com'],
    [
      'EXCHANGE_RATES_URL',
      'x',
      'EXCHANGE_RATES_URL must be an address such as https://api.frankfurter.dev',
    ],
    ['PUBLIC_URL', 'x', 'PUBLIC_URL must be an address such as https://example.com/gastos'],
  ])('loadSettings has one message for %s=%s', (name, value, message) => {
    expect(() => loadSettings({ ...inMemory, [name]: value })).toThrow(
      new SettingsError(`The settings are not valid:\n  ${message}`),
    );
  });

  it('loadSettings names every wrong variable at once', () => {
    const load = (): unknown => loadSettings({ ...inMemory, PORT: 'x', LOG_LEVEL: 'x' });
    expect(load).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('loadSettings names what may be meant by a variable that is missing', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: server, AUTH_SECERT: secret };
    expect(() => loadSettings(env)).toThrow(
      /AUTH_SECRET is required[^]*AUTH_SECERT is not a setting .* did you mean AUTH_SECRET\?$/,
    );
  });

  it('loadSettings demands a secret for a server in production', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: server };
    expect(() => loadSettings(production)).toThrow('AUTH_SECRET');
    expect(loadSettings({ ...production, AUTH_SECRET: secret }).authSecret).toBe(secret);
  });

  it('loadSettings accepts a secret of 32 characters with 8 different ones', () => {
    const AUTH_SECRET = '12345678'.repeat(4);
    expect(loadSettings({ ...inMemory, AUTH_SECRET }).authSecret).toBe(AUTH_SECRET);
  });

  it('loadSettings refuses DATABASE_TLS together with sslmode', () => {
    const url = `${server}?sslmode=disable`;
    const load = (): unknown => loadSettings({ DATABASE_URL: url, DATABASE_TLS: 'require' });
    expect(load).toThrow(/DATABASE_TLS.*sslmode/);
  });

  it('loadSettings names the file of an authority that cannot be read', () => {
    const env = { DATABASE_URL: server, DATABASE_TLS: 'verify', DATABASE_TLS_CA_FILE: '/nowhere' };
    expect(() => loadSettings(env)).toThrow(/DATABASE_TLS_CA_FILE.*nowhere/);
  });

  it('loadSettings has other defaults in production: JSON logs, and time for load balancers to react', () => {
    const { logFormat, shutdown } = loadSettings({ ...inMemory, NODE_ENV: 'production' });
    expect({ logFormat, shutdown }).toEqual({
      logFormat: 'json',
      shutdown: { delaySeconds: 5, timeoutSeconds: 10 },
    });
  });
});

describe('.env.example', () => {
  const example = parseEnv(readFileSync(resolve('.env.example'), 'utf8'));

  it('.env.example lists every setting', () => {
    expect(Object.keys(example).sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('.env.example states the defaults', () => {
    const given = { ...inMemory, AUTH_SECRET: secret };
    expect(loadSettings({ ...example, ...given })).toEqual(loadSettings(given));
    expect(example.DATA_DIR).toBe('./data');
  });
});
