import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { Client } from '../../support/client.js';
import { expectError } from '../../support/errors.js';
import { eventually } from '../../support/eventually.js';
import { message, postMessage, toolCall } from '../../support/mcp-messages.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { NO_LIMITS, useService } from '../../support/service.js';
import { SlowRequest } from '../../support/slow-request.js';

/** What is left of each limit, by its name. */
function leftOf(response: Response): Record<string, number> {
  const limits = [...(response.get('RateLimit') ?? '').matchAll(/"([\w-]+)";r=(\d+);/g)];
  return Object.fromEntries(limits.map(([, name = '', left]) => [name, Number(left)]));
}

/** The error of a result. */
const errorOf = ({ body }: Response): unknown => {
  const { result } = body as { result: { isError?: boolean; structuredContent: unknown } };
  expect(result.isError).toBe(true);
  return result.structuredContent;
};

describe('the limits on assistants', () => {
  const service = useService({
    rateLimits: { ...NO_LIMITS, enabled: true, authenticatedPerHour: 30, reportsPerHour: 2 },
  });
  const unfinished: SlowRequest[] = [];

  afterEach(() => {
    for (const sent of unfinished.splice(0)) sent.destroy();
  });

  async function newScript(): Promise<Client> {
    return (await service.signUp()).script();
  }

  it('count each message once, as the operation does', async () => {
    const script = await newScript();
    const post = (body: string | object): Promise<Response> =>
      Promise.resolve(postMessage(service, script, body));
    let authenticated = leftOf(await script.get('/auth/me')).authenticated ?? 0;
    const bodies: [string | object, Record<string, number>?][] = [
      [message('ping')],
      [message('tools/list')],
      [message('resources/list')],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
      [toolCall('list_cycles')],
      [toolCall('what_if'), { reports: 1 }],
      [toolCall('use_of_budgets', { cycle_ids: 'x' }), { reports: 0 }],
      [toolCall('list_expenses')],
      [toolCall('nothing')],
      [message('tools/call')],
      [[message('ping')]],
      ['{'],
    ];
    for (const [body, others] of bodies) {
      authenticated -= 1;
      const response = await post(body);
      expect({ body, left: leftOf(response) }).toEqual({
        body,
        left: { authenticated, ...others },
      });
    }
    expect(leftOf(await script.get('/auth/me')).authenticated).toBe(authenticated - 1);
  });

  it('count a call that its operation has not counted', async () => {
    const user = await service.signUp();
    const { token: reader } = await user.createToken({ access: 'read' });
    const before = leftOf(await user.get('/auth/me')).authenticated ?? 0;
    const script = await user.script();
    const start = leftOf(await postMessage(service, script, message('ping'))).authenticated ?? 0;
    expect(start).toBe(before - 2);
    const tooLong = toolCall('what_is_due', { q: 'x'.repeat(50_000) });
    expect(leftOf(await postMessage(service, script, tooLong))).toEqual({
      authenticated: start - 1,
    });
    const write = toolCall('undo', { operation_id: UNKNOWN_UUID });
    const refused = await postMessage(service, { token: reader }, write);
    expect(errorOf(refused)).toMatchObject({ code: 'FORBIDDEN' });
    expect(leftOf(refused)).toEqual({ authenticated: start - 2 });
  });

  it('come back as errors of the tool, with the time after which it can be called again', async () => {
    const script = await newScript();
    for (let n = 0; n < 2; n += 1) await postMessage(service, script, toolCall('what_if'));
    const refused = await postMessage(service, script, toolCall('what_if')).expect(200);
    const after = Number(refused.get('Retry-After'));
    expect(after).toBeGreaterThan(0);
    expect(errorOf(refused)).toEqual({
      ...{ code: 'RATE_LIMIT_EXCEEDED', message: `Too many requests; retry in ${after} s` },
      details: { retry_after: after },
    });
    while (
      (leftOf(await postMessage(service, script, toolCall('list_cycles'))).authenticated ?? 0) > 0
    );
    const call = await postMessage(service, script, toolCall('list_cycles')).expect(200);
    expect(errorOf(call)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expectError(
      await postMessage(service, script, message('tools/list')),
      429,
      'RATE_LIMIT_EXCEEDED',
    );
    expectError(await postMessage(service, script, '{'), 429, 'RATE_LIMIT_EXCEEDED');
  });

  it('count the requests of a session that it refuses', async () => {
    const user = await service.signUp();
    const before = leftOf(await user.get('/auth/me')).authenticated ?? 0;
    const refused = await postMessage(service, user, message('ping'));
    expectError(refused, 403, 'FORBIDDEN');
    expect(leftOf(refused)).toEqual({ authenticated: before - 1 });
  });
});

describe('the requests of an assistant in progress', () => {
  const service = useService({ rateLimits: { ...NO_LIMITS, enabled: true } });
  const unfinished: SlowRequest[] = [];

  afterEach(() => {
    for (const sent of unfinished.splice(0)) sent.destroy();
  });

  /** Begins requests whose bodies do not end. */
  function begin(number: number, script: Client, path: string): void {
    for (let n = 0; n < number; n += 1) {
      const sent = new SlowRequest(service.origin, script, { path });
      sent.write('{');
      unfinished.push(sent);
    }
  }

  it('are refused by errors of the tool where those of the user are too many', async () => {
    const script = await (await service.signUp()).script();
    begin(50, script, '/budgets');
    await eventually('a call is refused', async () => {
      const response = await postMessage(service, script, toolCall('list_cycles'));
      return (response.body as { result: { isError?: boolean } }).result.isError === true;
    });
    const refused = await postMessage(service, script, toolCall('list_cycles')).expect(200);
    expect(errorOf(refused)).toMatchObject({
      ...{ code: 'RATE_LIMIT_EXCEEDED', details: { retry_after: 1 } },
    });
    await postMessage(service, script, message('tools/list')).expect(200);
  });

  it('are at most 100 messages at a time', async () => {
    const script = await (await service.signUp()).script();
    begin(100, script, '/mcp');
    await eventually('a message is refused', async () => {
      const response = await postMessage(service, script, message('ping'));
      return response.status === 429;
    });
    await script.get('/auth/me').expect(200);
  });
});
