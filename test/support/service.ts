import { afterAll, beforeAll } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { configureApplication, createApplication } from '../../src/application.js';
import { IdentityCache } from '../../src/auth/identity-cache.js';
import type { CreatedInvitationResponse } from '../../src/households/dto/household.dto.js';
import type { RateLimitSettings, Settings } from '../../src/platform/config/settings.js';
import { Database } from '../../src/platform/database/database.js';
import { UsersService } from '../../src/users/users.service.js';
import { Client, signIn, signUp, TEST_PASSWORD } from './client.js';
import { TEST_SECRET, type TestDatabase } from './database-server.js';
import { refuseNestedAccess } from './nested-access.js';
import { lowerPasswordCost } from './password-cost.js';
import { createTestDatabase } from './test-database.js';

export { TEST_PASSWORD, TEST_SECRET };

lowerPasswordCost();

/** No rate limits, because tests send many requests; the tests of the limits set their own. */
export const NO_LIMITS: RateLimitSettings = {
  enabled: false,
  authenticatedPerHour: 1000,
  reportsPerHour: 100,
  authPerMinute: 10,
  authPerAddressPerMinute: 100,
};

const SENDER = { name: '', address: 'gastos@example.com' };

/** Nothing listens there: tests that read mails set a server. */
export const NO_MAIL_SERVER: Partial<Settings> = {
  mail: {
    kind: 'smtp',
    host: '127.0.0.1',
    port: 1,
    isSecure: false,
    from: SENDER,
    clientName: 'localhost',
  },
  passwordResetUrl: 'https://app.example.com/reset-password#{token}',
};

/** The real application on a database of the test file. */
export class Service {
  app!: NestExpressApplication;
  dataSource!: DataSource;
  private database!: TestDatabase;

  /** @param modules that only a test has */
  async start(settings: Partial<Settings>, ...modules: DynamicModule[]): Promise<void> {
    this.database = await createTestDatabase();
    const complete: Settings = {
      port: 0,
      host: '127.0.0.1',
      database: this.database.settings,
      authSecret: TEST_SECRET,
      sessionMaxHours: 720,
      registration: 'open',
      ...NO_MAIL_SERVER,
      cycleMaxDays: 45,
      defaultTimeZone: 'UTC',
      trustProxy: 0,
      corsOrigins: [],
      isMcpEnabled: true,
      rateLimits: NO_LIMITS,
      workers: 1,
      isProduction: false,
      shutdown: { delaySeconds: 0, timeoutSeconds: 10 },
      logLevel: 'error',
      logFormat: 'text',
      ...settings,
    };
    this.app = await createApplication(complete, ...modules);
    await configureApplication(this.app, complete);
    await this.app.listen(0, '127.0.0.1');
    this.dataSource = this.app.get(DataSource);
    refuseNestedAccess(this.app.get(Database, { strict: false }));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  get server(): Server {
    return this.app.getHttpServer();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get anonymous(): Client {
    return new Client(this.server);
  }

  signUp(profile?: Record<string, unknown>): Promise<Client> {
    return signUp(this.server, profile);
  }

  /** Creates a user in the household of an admin, with an invitation. */
  async signUpMember(admin: Client, profile: Record<string, unknown> = {}): Promise<Client> {
    const response = await admin.post('/households/current/invitations').expect(201);
    const { code } = response.body as CreatedInvitationResponse;
    return this.signUp({ invitation_code: code, ...profile });
  }

  signIn(email: string, password?: string): Promise<Client> {
    return signIn(this.server, email, password);
  }

  /** Removes a user from the cache after a test changed it directly in the database. */
  async invalidateUserCache({ email }: Client): Promise<void> {
    const users = this.app.get(UsersService, { strict: false });
    const { id } = await users.getByEmail(email);
    this.app.get(IdentityCache, { strict: false }).invalidate(id);
  }

  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]> {
    return this.dataSource.query<Row[]>(sql, parameters);
  }
}

/** Starts the service before the tests of a file and stops it after them. */
export function useService(settings: Partial<Settings> = {}, ...modules: DynamicModule[]): Service {
  const service = new Service();
  beforeAll(() => service.start(settings, ...modules));
  afterAll(() => service.stop());
  return service;
}
