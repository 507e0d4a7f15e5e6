import { afterAll, beforeAll } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import type { Test } from 'supertest';
import type { SmtpSettings } from '../../src/platform/config/mail-settings.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { MailServer } from './mail-server.js';
import { Service } from './service.js';

/** A service that sends its mails to a server. */
export interface ServiceWithMail {
  service: Service;
  requestReset: (email: unknown) => Test;
  confirm: (token: unknown, newPassword?: unknown) => Test;
}

interface StartedServer {
  readonly host: string;
  readonly port: number;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const SENDER = { name: 'Gastos: Casa', address: 'gastos@example.com' };

export const CLIENT_NAME = 'expenses.example.com';

export const NEW_PASSWORD = 'a better horse battery';

/** Starts a service and a server before the tests of a file and stops them after them. */
export function useServiceWithMail(
  settings: Partial<Settings> = {},
  options: SMTPServerOptions = {},
): ServiceWithMail & { server: MailServer } {
  const server = new MailServer(options);
  return { server, ...useServiceWithServer(server, settings) };
}

/** The same with a given server. */
export function useServiceWithServer(
  server: StartedServer,
  settings: Partial<Settings> = {},
  smtp: Partial<SmtpSettings> = {},
): ServiceWithMail {
  const service = new Service();
  beforeAll(async () => {
    await server.start();
    const { host, port } = server;
    await service.start({
      mail: {
        kind: 'smtp',
        host,
        port,
        isSecure: false,
        from: SENDER,
        clientName: CLIENT_NAME,
        ...smtp,
      },
      ...settings,
    });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  return {
    service,
    requestReset: (email) => service.anonymous.post(RESET_PATH, { email }),
    confirm: (token, new_password = NEW_PASSWORD) =>
      service.anonymous.post(CONFIRM_PATH, { token, new_password }),
  };
}

export const RESET_PATH = '/account/password-reset';
export const CONFIRM_PATH = '/account/password-reset/confirm';
