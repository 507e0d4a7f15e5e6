import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import request from 'supertest';
import { useService } from '../support/service.js';

describe('the error envelope', () => {
  const service = useService();

  /** Sends bytes that need not be HTTP and gives what comes back. */
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect((service.server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(bytes);
    await once(socket, 'close');
    return received;
  }

  it.each(['/', '/api', '/api/v2/cycles', '/favicon.ico'])(
    'covers the unknown path %s',
    async (path) => {
      const response = await request(service.server).get(path);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({
        success: false,
        error: {
          code: 'RESOURCE_NOT_FOUND',
          message: 'No such route',
          details: { resource: 'route' },
        },
      });
    },
  );

  it('covers a malformed body outside the prefix', async () => {
    const response = await request(service.server).post('/other').type('json').send('{');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });

  it('covers an address that cannot be decoded', async () => {
    const response = await request(service.server).get('/docs/%E0%A4%A');
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.body).toMatchObject({ success: false });
  });

  it.each([
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['another charset', 'application/json; charset=utf-16', Buffer.from('{}')],
  ])('refuses %s, instead of storing something else', async (_name, type, body) => {
    const response = await request(service.server)
      .post('/api/v1/auth/register')
      .set('Content-Type', type)
      .serialize((bytes: unknown) => bytes as string)
      .send(body);
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });

  it.each([
    ['what is no HTTP', 'HELLO\r\n\r\n', 400],
    ['too many headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  ])('covers %s', async (_name, bytes, status) => {
    const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });
});
