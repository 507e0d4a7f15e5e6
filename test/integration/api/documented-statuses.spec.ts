import { describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import type { Client } from '../../support/client.js';
import { operationsOf, type Operation } from '../../support/operations.js';
import { parseResponses, sendRaw } from '../../support/raw-http.js';
import { assertResponseAsDocumented } from '../../support/response-contract.js';
import { UNKNOWN_UUID } from '../../support/sample-entities.js';
import { useService } from '../../support/service.js';

/** The header fields and the beginning of a body that no operation accepts. */
interface Refused {
  fields: string[];
  body?: string;
}

/** These are refused before a handler runs, with every operation that reads a body. */
const REFUSED_BODIES: [what: string, status: number, refused: (type: string) => Refused][] = [
  ['with another charset', 415, (type) => ({ fields: [`Content-Type: ${type}; charset=latin1`] })],
  [
    'with an unknown content encoding',
    415,
    (type) => ({ fields: [`Content-Type: ${type}`, 'Content-Encoding: x'] }),
  ],
  ['that does not arrive in time', 408, (type) => ({ fields: [`Content-Type: ${type}`] })],
];

describe('the OpenAPI document', () => {
  const service = useService();

  /** The status of the response, which must be one that the document has for the operation. */
  async function send(
    { method, path }: Operation,
    { fields, body = '{', length = 100 }: Refused & { length?: number },
    user: Client,
  ): Promise<number | undefined> {
    const pathname = path.replaceAll(/\{\w+\}/g, UNKNOWN_UUID);
    const head = [
      ...[`${method.toUpperCase()} ${pathname} HTTP/1.1`, 'Host: x', 'Connection: close'],
      ...[`Authorization: Bearer ${user.token ?? ''}`, `Content-Length: ${length}`, ...fields],
    ];
    const { port } = service.server.address() as AddressInfo;
    const received = await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body}`);
    const [response] = parseResponses(received);
    if (!response) return undefined;
    const { status } = response;
    assertResponseAsDocumented({ method, pathname, status, body: JSON.parse(response.body) });
    return status;
  }

  async function statusesOf(
    operations: readonly Operation[],
    refused: (operation: Operation) => Refused & { length?: number },
  ): Promise<Record<string, number | undefined>> {
    const user = await service.signUp();
    const statuses = await Promise.all(
      operations.map(async (one) => [one.name, await send(one, refused(one), user)] as const),
    );
    return Object.fromEntries(statuses);
  }

  const allWith = (operations: readonly Operation[], status: number): Record<string, number> =>
    Object.fromEntries(operations.map(({ name }) => [name, status]));

  const readsBody = ({ method, path }: Operation): boolean =>
    ['post', 'put', 'patch'].includes(method) && path !== '/account/reminders/unsubscribe';

  it('the OpenAPI document has 431 for every operation, whose header may be too large', async () => {
    const operations = operationsOf(service.app);
    const fields = [`X-Large: ${'x'.repeat(20_000)}`];
    const refused = (): Refused => ({ fields, body: '' });
    expect(await statusesOf(operations, refused)).toEqual(allWith(operations, 431));
  });

  it('the OpenAPI document has 413 for every operation that reads a body', async () => {
    const operations = operationsOf(service.app).filter(readsBody);
    const refused = ({ body }: Operation): Refused & { length: number } => ({
      fields: [`Content-Type: ${body?.type ?? 'application/json'}`],
      length: 50_000_000,
    });
    expect(await statusesOf(operations, refused)).toEqual(allWith(operations, 413));
  });

  it.each(REFUSED_BODIES)(
    'the OpenAPI document has the status of a body %s, for every operation that reads one: %i',
    async (_what, status, refused) => {
      // Shorter than in production, so that the test is fast.
      service.server.headersTimeout = 1000;
      service.server.requestTimeout = 1500;
      const operations = operationsOf(service.app).filter(readsBody);
      expect(operations.length).toBeGreaterThan(30);
      const statuses = await statusesOf(operations, ({ body }) =>
        refused(body?.type ?? 'application/json'),
      );
      expect(statuses).toEqual(allWith(operations, status));
    },
  );
});
