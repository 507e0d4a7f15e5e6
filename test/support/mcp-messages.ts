import request, { type Test } from 'supertest';
import type { Client } from './client.js';
import type { Service } from './service.js';

/** A message of the revision that needs no session: the oldest one that is served. */
export const message = (method: string, params: object = {}): object => ({
  ...{ jsonrpc: '2.0', id: 1, method, params },
});

export const toolCall = (name: string, args: object = {}): object =>
  message('tools/call', { name, arguments: args });

/** Posts what may be no message. */
export function postMessage(
  service: Service,
  { token }: Pick<Client, 'token'>,
  body: string | object,
): Test {
  const sent = request(service.server)
    .post('/mcp')
    .set({ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' });
  return (token === undefined ? sent : sent.set('Authorization', `Bearer ${token}`)).send(body);
}
