import { describe, expect, it } from '@jest/globals';
import { moveLargeDocument } from '../support/large-document.js';
import { useProcesses } from '../support/service-process.js';

const MAX_GROWTH_MB = 400;
/** The document is parsed at once; the rest of the work has pauses. */
const MAX_WAIT_MS = 2000;
/** The transaction holds the only session of the embedded database. */
const MAX_DATABASE_WAIT_MS = 10_000;

describe('a document of 10 MB, on the embedded database', () => {
  const processes = useProcesses(() => ({ RATE_LIMIT_ENABLED: 'false' }));

  it('a document of 10 MB is imported and exported in bounded memory on the embedded database, while others are served', async () => {
    const { rows, exported, growth, wait, databaseWait } = await moveLargeDocument(
      await processes.start(),
    );
    expect(rows).toBeGreaterThan(15_000);
    expect(exported).toBeGreaterThan(9_000_000);
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
    expect(wait).toBeLessThan(MAX_WAIT_MS);
    expect(databaseWait).toBeLessThan(MAX_DATABASE_WAIT_MS);
  }, 300_000);
});
