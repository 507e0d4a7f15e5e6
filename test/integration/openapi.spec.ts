import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { createOpenApiDocument } from '../../src/docs.js';
import { useService } from '../support/service.js';

interface Operation {
  summary?: string;
  security?: object[];
  responses: Record<string, { content?: object }>;
}

describe('the OpenAPI document', () => {
  const service = useService();

  const operations = (): [string, Operation][] =>
    Object.entries(createOpenApiDocument(service.app).paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(
        ([method, operation]): [string, Operation] => [
          `${method.toUpperCase()} ${path}`,
          operation,
        ],
      ),
    );

  it('is the one in the repository; write it anew with npm run openapi', () => {
    const file = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    const document = JSON.parse(JSON.stringify(createOpenApiDocument(service.app))) as unknown;
    expect(document).toEqual(JSON.parse(file));
  });

  it('is served without a token, as is Swagger UI', async () => {
    const document = await request(service.server).get('/docs/openapi.json').expect(200);
    expect((document.body as { openapi: string }).openapi).toMatch(/^3\./);
    const page = await request(service.server).get('/docs').expect(200);
    expect(page.text).toContain('swagger-ui');
  });

  it('has every route of the API and the probes', () => {
    expect(operations().map(([name]) => name)).toHaveLength(43);
  });

  it('gives every operation a summary, a success and its failures', () => {
    for (const [name, { summary, responses }] of operations()) {
      const statuses = Object.keys(responses);
      expect({ name, summary: summary ?? '' }).toEqual({
        name,
        summary: expect.stringMatching(/./),
      });
      expect({ name, statuses }).toEqual({ name, statuses: expect.arrayContaining(['500']) });
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    }
  });

  it('demands a token wherever the service does', () => {
    const open = operations()
      .filter(([, { security }]) => security === undefined)
      .map(([name]) => name);
    expect(open.sort()).toEqual([
      'GET /health/live',
      'GET /health/ready',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/register',
    ]);
  });
});
