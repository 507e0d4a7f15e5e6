import { describe, expect, it } from '@jest/globals';
import { linkWithToken } from './mail-settings.js';
import { IN_MEMORY_DATA_DIR, loadSettings, SettingsError } from './settings.js';

const VALID = {
  DATA_DIR: IN_MEMORY_DATA_DIR,
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'gastos@example.com',
  PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
};

function messageOf(env: Record<string, string>): string {
  try {
    loadSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('The settings were accepted');
}

describe('the settings of mails', () => {
  it.each([
    ['https://gastos.example.org/app', 'gastos@example.com', 'gastos.example.org'],
    ['https://GÁSTOS.example.org:8443', 'gastos@example.com', 'xn--gstos-xqa.example.org'],
    ['http://192.0.2.7:3000', 'gastos@example.com', 'example.com'],
    ['http://[2001:db8::7]:3000', 'gastos@example.com', 'example.com'],
    ['http://localhost:3000', 'Casa <gastos@mail.example.com>', 'mail.example.com'],
    ['', 'gastos@peñas.example.com', 'xn--peas-hqa.example.com'],
    ['', 'gastos@intranet', 'intranet'],
  ])('the settings of mails with PUBLIC_URL=%s and MAIL_FROM=%s name %s', (url, from, name) => {
    const env = { ...VALID, PUBLIC_URL: url, MAIL_FROM: from };
    expect(loadSettings(env).mail).toMatchObject({ clientName: name });
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', isSecure: false }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', isSecure: true }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, isSecure: false }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, isSecure: false }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, isSecure: false }],
    ['smtp://mail_server:587', { host: 'mail_server', port: 587, isSecure: false }],
    [
      'smtps://ana%40example.com:p%3A%2F%3F%23ss@mail.example.com',
      { host: 'mail.example.com', isSecure: true, user: 'ana@example.com', password: 'p:/?#ss' },
    ],
  ])('the settings of mails take the server %s', (SMTP_URL, server) => {
    expect(loadSettings({ ...VALID, SMTP_URL }).mail).toEqual({
      kind: 'smtp',
      from: { name: '', address: 'gastos@example.com' },
      clientName: 'example.com',
      ...server,
    });
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp:///',
    'smtp://user@mail.example.com',
    'smtp://:secret@mail.example.com',
    'smtp://user:%zz-secret@mail.example.com',
    'smtp://user:secret@mail.example.com:99999',
    'smtp://user:secret@mail.example.com/path',
    'smtp://user:secret@mail.example.com?tls.rejectUnauthorized=false',
    'smtp://user:secret@mail.example.com#x',
    'smtp://a%C3:%A9secret@mail.example.com',
    'smtp://user:secret@mail.example.com:0',
    'smtp://user:secret@máil.example.com',
    'smtp://user:secret@mail%20x.example.com',
  ])('the settings of mails refuse the server %s, without its password', (SMTP_URL) => {
    const message = messageOf({ ...VALID, SMTP_URL });
    expect(message.split('\n')).toEqual([
      'The settings are not valid:',
      expect.stringMatching(/^ {2}SMTP_URL must be an address such as smtp:/),
    ]);
    expect(message).not.toContain('secret');
  });

  it.each([
    ['gastos@example.com', '', 'gastos@example.com'],
    ['gastos@localhost', '', 'gastos@localhost'],
    ['<gastos@example.com>', '', 'gastos@example.com'],
    ['Gastos <gastos@example.com>', 'Gastos', 'gastos@example.com'],
    [
      'Gastos: Casa (mx), S.A. <gastos@example.com>',
      'Gastos: Casa (mx), S.A.',
      'gastos@example.com',
    ],
    ['"Gastos, S.A." <gastos@example.com>', 'Gastos, S.A.', 'gastos@example.com'],
  ])('the settings of mails take the sender %s', (MAIL_FROM, name, address) => {
    expect(loadSettings({ ...VALID, MAIL_FROM }).mail).toMatchObject({ from: { name, address } });
  });

  it.each([
    'gastos',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'Gastos',
  ])('the settings of mails refuse the sender %j', (MAIL_FROM) => {
    expect(messageOf({ ...VALID, MAIL_FROM })).toMatch(/^ {2}MAIL_FROM must be an e-mail/m);
  });

  it.each([
    'https://app.example.com/reset-password#{token}',
    'https://app.example.com/gastos/{token}',
    'https://app.example.com?token={token}&from=mail',
    'http://localhost:5173/#{token}',
    'http://127.0.0.1/{token}',
    'http://[::1]:3000/{token}',
  ])('the settings of mails take the page %s', (PASSWORD_RESET_URL) => {
    const { passwordResetUrl } = loadSettings({ ...VALID, PASSWORD_RESET_URL });
    expect(passwordResetUrl).toBe(PASSWORD_RESET_URL);
    expect(linkWithToken(PASSWORD_RESET_URL, 'a_b-c')).toBe(
      PASSWORD_RESET_URL.replace('{token}', 'a_b-c'),
    );
  });

  it.each([
    'https://app.example.com/reset-password',
    'https://app.example.com/{token}#{token}',
    'http://app.example.com/{token}',
    'http://localhost.example.com/{token}',
    'https://{token}/',
    'https://{token}.example.com/',
    'https://app.example.com:{token}/',
    'https://{token}@app.example.com/',
    'https://ana:secret@app.example.com/{token}',
    'app.example.com/{token}',
    'javascript:alert("{token}")',
    '{token}',
    'https://app.example.com/reset password#{token}',
    ' https://app.example.com/#{token}',
    'https://app.example.com/#{token}\nfoo',
    'https://app.example.com/\u0007#{token}',
    'https://app.example.com/<b>#{token}',
    'https://app.example.com/{token}/..',
  ])('the settings of mails refuse the page %s', (PASSWORD_RESET_URL) => {
    expect(messageOf({ ...VALID, PASSWORD_RESET_URL })).toMatch(
      /^ {2}PASSWORD_RESET_URL must be an https address/m,
    );
  });

  it('the settings of mails need each other, with one line for each that is missing', () => {
    const { SMTP_URL, DATA_DIR } = VALID;
    expect(messageOf({ SMTP_URL, DATA_DIR })).toBe(
      'The settings are not valid:\n  SMTP_URL requires MAIL_FROM\n  SMTP_URL requires PASSWORD_RESET_URL',
    );
    const others = { ...VALID, SMTP_URL: '' };
    expect(loadSettings(others)).toMatchObject({
      mail: undefined,
      passwordResetUrl: VALID.PASSWORD_RESET_URL,
    });
  });

  it('the settings of mails refuse a mode of registration that is none', () => {
    expect(messageOf({ ...VALID, REGISTRATION: 'private' })).toContain(
      'REGISTRATION must be one of the following values: open, invitation, closed',
    );
  });
});
