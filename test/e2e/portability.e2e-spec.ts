import { describe, expect, it } from '@jest/globals';
import { moveLargeDocument, SMALL_HEAP } from '../support/large-document.js';
import { useProcesses } from '../support/service-process.js';

const MAX_GROWTH_MB = 250;

describe('a document of 50 MB, on the embedded database', () => {
  const processes = useProcesses(() => ({
    RATE_LIMIT_ENABLED: 'false',
    NODE_OPTIONS: SMALL_HEAP,
  }));

  it('is imported and exported in bounded memory', async () => {
    const { rows, exported, growth } = await moveLargeDocument(await processes.start());
    expect(rows).toBeGreaterThan(25_000);
    expect(exported).toBeGreaterThan(45_000_000);
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  }, 300_000);
});
