import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { recordExamples } from '../../support/examples/household-story.js';
import type { Example } from '../../support/examples/recorder.js';
import { operationsOf } from '../../support/operations.js';
import { useService } from '../../support/service.js';

const FILE = new URL('../../../openapi/examples.json', import.meta.url);

describe('the examples of the OpenAPI document', () => {
  const service = useService();
  let recorded: Record<string, Example>;

  beforeAll(async () => {
    recorded = await recordExamples(service);
    if (process.env.WRITE_EXAMPLES) writeFileSync(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
  });

  it('the examples of the OpenAPI document are the responses of the service; update them with npm run examples', () => {
    const stored = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as unknown) : {};
    expect(recorded).toEqual(stored);
  });

  it('the examples of the OpenAPI document are there for every operation', () => {
    const ids = operationsOf(service.app).map(({ id }) => id);
    expect(Object.keys(recorded).sort()).toEqual(ids.sort());
  });
});
