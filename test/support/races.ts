import { afterAll, beforeAll } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { Client, signIn, signUp, type Method } from './client.js';
import { serverSettings } from './database-server.js';
import { expectIntegrity } from './integrity.js';
import { startPostgres } from './servers.js';
import { metricsAt, useProcesses, type ServiceProcess } from './service-process.js';
import { createDistributedDatabase, isDistributed } from './test-database.js';

const PROCESSES = 2;

/** A client that sends its requests to several processes in turn. */
class RoundRobinClient extends Client {
  private requestCount = 0;

  constructor(
    private readonly origins: readonly string[],
    { email, token }: Client,
  ) {
    super(origins[0] ?? '', email, token);
  }

  override send(method: Method, path: string): Test {
    this.requestCount += 1;
    const origin = this.origins[this.requestCount % this.origins.length] ?? '';
    return new Client(origin, this.email, this.token).send(method, path);
  }
}

/** Sends all requests concurrently. */
export function race(requests: readonly Test[]): Promise<Response[]> {
  return Promise.all(requests.map(async (request) => request));
}

export const repeat = (count: number, request: (n: number) => Test): Test[] =>
  Array.from({ length: count }, (_, n) => request(n));

/**
 * Two processes of the service on one database, for the tests of a file: of a PostgreSQL server
 * that is started for them, or of the Citus coordinator of TEST_DATABASE_URL.
 */
export class Replicas {
  url!: string;
  services: ServiceProcess[] = [];
  private database!: OpenDatabase;
  private remove!: () => Promise<void>;

  get origins(): string[] {
    return this.services.map(({ origin }) => origin);
  }

  get anonymous(): Client {
    return new RoundRobinClient(this.origins, new Client(''));
  }

  /** Registers a user whose requests go to the processes in turn. */
  async signUp(profile?: Record<string, unknown>): Promise<Client> {
    return new RoundRobinClient(this.origins, await signUp(this.origins[0] ?? '', profile));
  }

  async signIn(email: string, password?: string): Promise<Client> {
    return new RoundRobinClient(this.origins, await signIn(this.origins[0] ?? '', email, password));
  }

  query<Row>(sql: string): Promise<Row[]> {
    return this.database.dataSource.query<Row[]>(sql);
  }

  /** The number of transactions retried so far. */
  async retries(): Promise<number> {
    const samples = await Promise.all(this.services.map(({ metricsUrl }) => metricsAt(metricsUrl)));
    return samples.reduce(
      (sum, values) => sum + (values.get('database_transaction_retries_total') ?? 0),
      0,
    );
  }

  expectIntegrity(): Promise<void> {
    return expectIntegrity(this.database.dataSource);
  }

  async open(): Promise<void> {
    if (isDistributed) {
      const { url, drop } = await createDistributedDatabase();
      this.url = url;
      this.remove = drop;
    } else {
      const postgres = await startPostgres();
      this.url = await postgres.createDatabase();
      this.remove = () => postgres.remove();
    }
    this.database = await openDatabase(serverSettings(this.url), SCHEMA);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.remove();
  }
}

/** @param env of the processes, besides their database */
export function useReplicas(env: () => Record<string, string> = () => ({})): Replicas {
  const replicas = new Replicas();
  beforeAll(() => replicas.open());
  const { start } = useProcesses(
    () => ({
      DATABASE_URL: replicas.url,
      AUTH_SECRET: 'the same for all, 32 characters or more',
      RATE_LIMIT_ENABLED: 'false',
      METRICS_PORT: '0',
      ...env(),
    }),
    'file',
  );
  beforeAll(async () => {
    replicas.services = await Promise.all(Array.from({ length: PROCESSES }, () => start()));
  });
  afterAll(() => replicas.close());
  return replicas;
}
