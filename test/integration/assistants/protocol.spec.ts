import { describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import request from 'supertest';
import { CyclesService } from '../../../src/cycles/cycles.service.js';
import { Assistant } from '../../support/assistant.js';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { message, postMessage, toolCall } from '../../support/mcp-messages.js';
import { Service, useService } from '../../support/service.js';
import { SlowRequest } from '../../support/slow-request.js';

const ORIGIN = 'https://app.example.com';
const HEADERS = { Accept: 'application/json, text/event-stream' };

/** A response to a message that is refused by the protocol. */
const refusal = (code: number, id: number | null = 1): object => ({
  ...{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } },
});

/** Lets the next list of cycles wait, without the database. */
function holdLists(service: Service): { begun: Promise<unknown>; release: () => void } {
  const cycles = service.app.get(CyclesService, { strict: false });
  const events = new EventEmitter();
  const list = cycles.list.bind(cycles);
  jest.spyOn(cycles, 'list').mockImplementationOnce(async (...args) => {
    events.emit('begun');
    await once(events, 'release');
    return list(...args);
  });
  return { begun: once(events, 'begun'), release: () => events.emit('release') };
}

function callOnOwnConnection(service: Service, client: Client): SlowRequest {
  const sent = new SlowRequest(service.origin, client, { path: '/mcp', headers: HEADERS });
  void sent.end(JSON.stringify(toolCall('list_cycles'))).catch(() => undefined);
  return sent;
}

describe('POST /mcp', () => {
  const service = useService({ corsOrigins: [ORIGIN] });

  it('requires a personal access token', async () => {
    const anonymous = await postMessage(service, {}, message('ping'));
    expectError(anonymous, 401, 'INVALID_TOKEN');
    expect(anonymous.get('WWW-Authenticate')).toBe('Bearer');
    const unknown = { token: `pat_${'x'.repeat(43)}` };
    expectError(await postMessage(service, unknown, message('ping')), 401, 'INVALID_TOKEN');
    const user = await service.signUp();
    expectError(await postMessage(service, user, message('ping')), 403, 'FORBIDDEN');
  });

  it('refuses a token that has ended or expired', async () => {
    const user = await service.signUp();
    const [ended, expired] = [await user.createToken(), await user.createToken()];
    const assistant = await Assistant.connect(service, ended);
    await user.delete(`/auth/tokens/${ended.id}`).expect(204);
    await expect(assistant.call('list_cycles')).rejects.toThrow();
    expectError(await postMessage(service, ended, message('ping')), 401, 'INVALID_TOKEN');
    await service.query(
      "UPDATE personal_access_tokens SET expires_at = now() - interval '1 day' WHERE id = $1",
      [expired.id],
    );
    expectError(await postMessage(service, expired, message('ping')), 401, 'INVALID_TOKEN');
  });

  it('refuses an origin that is not in CORS_ORIGINS before the token', async () => {
    const script = await (await service.signUp()).script();
    for (const origin of ['https://evil.example', service.origin, 'null', `${ORIGIN}.evil.com`]) {
      const response = await postMessage(service, script, message('ping')).set('Origin', origin);
      expectError(response, 403, 'FORBIDDEN');
      const anonymous = await postMessage(service, {}, message('ping')).set('Origin', origin);
      expectError(anonymous, 403, 'FORBIDDEN');
    }
    const allowed = await postMessage(service, script, message('ping')).set('Origin', ORIGIN);
    expect(allowed.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(allowed.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
  });

  it('lets a page of an allowed origin send the headers of the protocol', async () => {
    const headers = 'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version';
    const response = await request(service.server)
      .options('/mcp')
      .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' })
      .set('Access-Control-Request-Headers', headers)
      .expect(204);
    expect(response.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    expect(response.get('Access-Control-Allow-Headers')).toBe(headers);
  });

  it('has no other method', async () => {
    const { token = '' } = await (await service.signUp()).script();
    for (const method of ['get', 'delete', 'put'] as const) {
      const sent = request(service.server)[method]('/mcp').set(HEADERS);
      const response = await sent.set('Authorization', `Bearer ${token}`);
      expectError(response, 405, 'VALIDATION_ERROR');
      expect(response.get('Allow')).toBe('POST');
    }
  });

  it('is below no prefix', async () => {
    const script = await (await service.signUp()).script();
    expectError(await script.post('/mcp/mcp', message('ping')), 404, 'RESOURCE_NOT_FOUND');
    const response = await request(service.server).post('/api/v1/mcp').send(message('ping'));
    expectError(response, 404, 'RESOURCE_NOT_FOUND');
  });

  it.each([
    ['no JSON', '{', 400],
    ['deep JSON', '['.repeat(40) + ']'.repeat(40), 422],
    ['2 MB', JSON.stringify({ text: 'x'.repeat(2_000_000) }), 413],
  ])('refuses a body with %s', async (_name, body, status) => {
    const script = await (await service.signUp()).script();
    expectError(await postMessage(service, script, body), status, 'VALIDATION_ERROR');
  });

  it('refuses other types and encodings', async () => {
    const script = await (await service.signUp()).script();
    const sent = postMessage(service, script, JSON.stringify(message('ping')));
    expectError(await sent.set('Content-Type', 'text/plain'), 415, 'VALIDATION_ERROR');
    const latin = postMessage(service, script, JSON.stringify(message('ping')));
    expectError(
      await latin.set('Content-Type', 'application/json; charset=latin1'),
      415,
      'VALIDATION_ERROR',
    );
  });

  it('refuses what is not one message', async () => {
    const script = await (await service.signUp()).script();
    const bodies = [[], [message('ping')], [message('ping'), message('ping')], '7', '"x"', 'null'];
    for (const body of bodies) {
      const response = await postMessage(service, script, body);
      expect({ status: response.status, body: response.body as unknown }).toEqual({
        status: 400,
        body: refusal(-32600, null),
      });
    }
    for (const body of [{}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { jsonrpc: '2.0' }]) {
      const response = await postMessage(service, script, body).expect(400);
      expect(response.body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    }
    const none = await request(service.server)
      .post('/mcp')
      .set({ ...HEADERS, Authorization: `Bearer ${script.token ?? ''}` });
    expect({ status: none.status, body: none.body as unknown }).toEqual({
      status: 400,
      body: refusal(-32600, null),
    });
  });

  it('requires that a client accepts what the protocol has', async () => {
    const script = await (await service.signUp()).script();
    const response = await postMessage(service, script, message('ping')).set('Accept', 'text/html');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 406,
      body: refusal(-32000, null),
    });
  });

  it('acknowledges notifications', async () => {
    const script = await (await service.signUp()).script();
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const response = await postMessage(service, script, notification).expect(202);
    expect(response.text).toBe('');
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_cycles' } };
    await postMessage(service, script, call).expect(202);
  });

  it('refuses unknown methods, tools and revisions by errors of the protocol', async () => {
    const script = await (await service.signUp()).script();
    const unknown = await postMessage(service, script, message('resources/list')).expect(200);
    expect(unknown.body).toEqual(refusal(-32601));
    const tool = await postMessage(service, script, toolCall('drop_tables')).expect(200);
    expect(tool.body).toEqual(refusal(-32602));
    const calls = [message('tools/call'), message('tools/call', { name: 1 })];
    for (const call of [...calls, message('tools/call', { name: 'undo', arguments: [1] })]) {
      const response = await postMessage(service, script, call).expect(200);
      expect(response.body).toMatchObject({ error: { code: expect.any(Number) } });
    }
    const revision = postMessage(service, script, message('ping'));
    await revision.set('Mcp-Protocol-Version', '1999-01-01').expect(400);
  });

  it('opens no stream', async () => {
    const script = await (await service.signUp()).script();
    const { protocol } = await Assistant.connect(service, script);
    await expect(protocol.listen({ toolsListChanged: true })).rejects.toThrow();
  });

  it('ends a call when its client leaves', async () => {
    const script = await (await service.signUp()).script();
    const inside: Duplex[] = [];
    const collect = (connection: Duplex & { remotePort?: number }): void => {
      if (connection.remotePort === undefined) inside.push(connection);
    };
    service.server.on('connection', collect);
    const held = holdLists(service);
    const sent = callOnOwnConnection(service, script);
    await held.begun;
    sent.destroy();
    await eventually('the operation is left', () => Promise.resolve(inside[0]?.destroyed === true));
    held.release();
    service.server.off('connection', collect);
    await (await Assistant.connect(service, script)).read('list_cycles');
    expect(inside).toHaveLength(1);
  });
});

describe('POST /mcp while the service stops', () => {
  it('answers the call in progress', async () => {
    const service = new Service();
    await service.start({});
    const script = await (await service.signUp()).script();
    const held = holdLists(service);
    const { response } = callOnOwnConnection(service, script);
    await held.begun;
    const stopped = service.stop();
    held.release();
    const { status, text } = await response;
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('pagination') });
    await stopped;
  });
});

describe('MCP_ENABLED=false', () => {
  const service = useService({ isMcpEnabled: false });

  it('there is no /mcp', async () => {
    const script = await (await service.signUp()).script();
    for (const client of [script, {}]) {
      expectError(await postMessage(service, client, message('ping')), 404, 'RESOURCE_NOT_FOUND');
    }
  });
});
