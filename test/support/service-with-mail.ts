import { afterAll, beforeAll } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import type { Test } from 'supertest';
import type { Settings } from '../../src/platform/config/settings.js';
import { MailServer } from './mail-server.js';
import { Service } from './service.js';

/** A service, and a server that takes its mails. */
export interface ServiceWithMail {
  service: Service;
  server: MailServer;
  requestReset: (email: unknown) => Test;
  confirm: (token: unknown, newPassword?: unknown) => Test;
}

export const NEW_PASSWORD = 'a better horse battery';

/** Starts both before the tests of a file and stops them after them. */
export function useServiceWithMail(
  settings: Partial<Settings> = {},
  options: SMTPServerOptions = {},
): ServiceWithMail {
  const service = new Service();
  const server = new MailServer(options);
  beforeAll(async () => {
    await server.start();
    const { port } = server;
    await service.start({
      mail: { kind: 'smtp', host: '127.0.0.1', port, isSecure: false, from: 'gastos@example.com' },
      ...settings,
    });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  return {
    service,
    server,
    requestReset: (email) => service.anonymous.post(RESET_PATH, { email }),
    confirm: (token, new_password = NEW_PASSWORD) =>
      service.anonymous.post(CONFIRM_PATH, { token, new_password }),
  };
}

export const RESET_PATH = '/account/password-reset';
export const CONFIRM_PATH = '/account/password-reset/confirm';
