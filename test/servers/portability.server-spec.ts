import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moveLargeDocument, SMALL_HEAP } from '../support/large-document.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses } from '../support/service-process.js';

const MAX_GROWTH_MB = 150;

describe('a document of 50 MB, on a PostgreSQL server', () => {
  const processes = useProcesses(() => ({
    ...{ RATE_LIMIT_ENABLED: 'false', NODE_OPTIONS: SMALL_HEAP },
    DATABASE_URL: postgres.url(),
  }));
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  it('is imported and exported in bounded memory', async () => {
    const { rows, exported, growth } = await moveLargeDocument(await processes.start());
    expect(rows).toBeGreaterThan(25_000);
    expect(exported).toBeGreaterThan(45_000_000);
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  }, 300_000);
});
