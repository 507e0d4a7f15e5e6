import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';

describe('the error envelope', () => {
  const service = useService();

  it.each(['/api', '/api/v2/cycles', '/favicon.ico'])(
    'the error envelope covers the unknown path %s',
    async (path) => {
      const response = await request(service.server).get(path);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({
        success: false,
        error: {
          code: 'RESOURCE_NOT_FOUND',
          message: 'Route not found',
          details: { resource: 'route' },
        },
      });
    },
  );

  it('the error envelope covers an unknown path with a malformed body, which is not read', async () => {
    const response = await request(service.server).post('/other').type('json').send('{');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ success: false, error: { code: 'RESOURCE_NOT_FOUND' } });
  });

  it('the error envelope covers a URL that cannot be decoded', async () => {
    const response = await request(service.server).get('/docs/%E0%A4%A');
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body).toMatchObject({ success: false });
  });

  it.each([
    ['bytes that are not UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['another charset', 'application/json; charset=utf-16', Buffer.from('{}')],
  ])(
    'the error envelope refuses %s, instead of storing something else',
    async (_name, type, body) => {
      const response = await request(service.server)
        .post('/api/v1/auth/register')
        .set('Content-Type', type)
        .serialize((bytes: unknown) => bytes as string)
        .send(body);
      expect(response.status).toBe(415);
      expect(response.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    },
  );
});
