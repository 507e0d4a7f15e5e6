import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import request, { type Response } from 'supertest';
import type { Client } from '../../support/client.js';
import { documentOf } from '../../support/operations.js';
import { parseResponses, sendRaw } from '../../support/raw-http.js';
import { useService } from '../../support/service.js';

/** The URLs of `Link` by relation, below the prefix of the API. */
function linksOf(response: Response): Record<string, string> {
  const header = response.get('Link') ?? '';
  const links = header === '' ? [] : header.split(', ');
  return Object.fromEntries(
    links.map((link) => {
      const [, url = link, rel = ''] = /^<\/api\/v1([^>]+)>;rel="(\w+)"$/.exec(link) ?? [];
      return [rel, url];
    }),
  );
}

describe('Link of a list with page numbers', () => {
  const service = useService();
  let user: Client;
  let cycleId: string;

  const read = async (path: string): Promise<Response> => user.get(path).expect(200);

  beforeAll(async () => {
    user = await service.signUp();
    cycleId = (await user.createCycle()).id;
    await user.createCycle();
    await user.createCycle();
    for (const description of ['Gas 1', 'Gas 2', 'Gas 3', 'Luz']) {
      await user.createExpense(cycleId, { description });
    }
  });

  it.each([
    [1, { next: 2, first: 1, last: 3 }],
    [2, { next: 3, prev: 1, first: 1, last: 3 }],
    [3, { prev: 2, first: 1, last: 3 }],
    [4, { prev: 3, first: 1, last: 3 }],
    [Number.MAX_SAFE_INTEGER, { prev: 3, first: 1, last: 3 }],
  ])('Link of page %d of three has the pages %j', async (page, expected) => {
    const links = linksOf(await read(`/cycles?per_page=1&page=${page}`));
    const urls = Object.entries(expected).map(([rel, number]) => [
      rel,
      `/cycles?per_page=1&page=${number}`,
    ]);
    expect(Object.entries(links)).toEqual(urls);
  });

  it('Link of a list of one page has this page alone', async () => {
    expect(linksOf(await read('/cycles'))).toEqual({
      first: '/cycles?page=1',
      last: '/cycles?page=1',
    });
  });

  it.each(['/cycles?date=2040-01-01', '/cycles?date=2040-01-01&page=2', '/expenses?q=nothing'])(
    'Link is absent for the empty list %s',
    async (path) => {
      expect((await read(path)).get('Link')).toBeUndefined();
    },
  );

  it('Link is absent for a request that is refused', async () => {
    expect((await user.get('/cycles?page=0').expect(422)).get('Link')).toBeUndefined();
  });

  it.each([
    [100, ['next', 'prev', 'first', 'last']],
    [700, ['next', 'prev', 'first']],
    [1500, ['next']],
    [15_000, []],
  ])(
    'Link with %d more characters in each URL has the relations %j, which fit into 2,500',
    async (length, expected) => {
      const path = `/cycles?per_page=1&page=2&ignored=${'x'.repeat(length)}`;
      const response = await read(path);
      expect(Object.keys(linksOf(response))).toEqual(expected);
      expect(response.get('Link')?.length ?? 0).toBeLessThanOrEqual(2500);
    },
  );

  it('Link leads through all pages forwards and backwards, with the filters of the request', async () => {
    const walk = async (start: string, rel: 'next' | 'prev'): Promise<string[]> => {
      const found: string[] = [];
      let path: string | undefined = start;
      while (path !== undefined) {
        const page = await read(path);
        const { expenses } = page.body as { expenses: { description: string }[] };
        found.push(...expenses.map(({ description }) => description));
        path = linksOf(page)[rel];
      }
      return found;
    };
    const filters = '/expenses?q=G%C3%81S%20&per_page=1&category=variable&from=2026-01-01';
    expect(await walk(filters, 'next')).toEqual(['Gas 1', 'Gas 2', 'Gas 3']);
    const { last = '' } = linksOf(await read(filters));
    expect(await walk(last, 'prev')).toEqual(['Gas 3', 'Gas 2', 'Gas 1']);
  });

  it('Link is not taken for that of a list with a cursor by typed clients up to 1.9.0', async () => {
    const page = await read('/cycles?per_page=1');
    expect(page.get('Link')).not.toMatch(/<([^>]*)>; rel="next"/);
    const activity = await read(`/activity?cycle_id=${cycleId}&limit=1`);
    expect(activity.get('Link')).toMatch(/<([^>]*)>; rel="next"/);
  });

  it('Link of the response to a HEAD is that of the GET', async () => {
    const path = '/cycles?per_page=1&page=2';
    const response = await request(service.server)
      .head(`/api/v1${path}`)
      .set('Authorization', `Bearer ${user.token ?? ''}`)
      .expect(200);
    expect(linksOf(response)).toEqual(linksOf(await read(path)));
  });

  it('Link has the path of a request target that names another host, or one that is no URL', async () => {
    const { port } = service.server.address() as AddressInfo;
    const path = '/api/v1/cycles?per_page=1&page=3';
    const targets = ['http://other.example', 'http://user:secret@other.example:99999'];
    for (const target of targets) {
      const head = `GET ${target}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token ?? ''}\r\n`;
      const bytes = await sendRaw(port, `${head}Connection: close\r\n\r\n`);
      const [response] = parseResponses(bytes);
      expect(response).toMatchObject({
        status: 200,
        headers: {
          link: expect.stringMatching(/^<\/api\/v1\/cycles\?per_page=1&page=2>;rel="prev"/),
        },
      });
    }
  });

  it('Link is documented for every operation that takes the number of a page', () => {
    const document = documentOf(service.app);
    const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const takesPage = get?.parameters?.some((one) => 'name' in one && one.name === 'page');
      return takesPage ? [[path, get?.responses['200']] as const] : [];
    });
    expect(lists.map(([path]) => path)).toEqual(
      ['cycles', 'expenses', 'incomes'].map((name) => `/api/v1/${name}`),
    );
    for (const [, response] of lists) {
      expect(response).toMatchObject({ headers: { Link: { $ref: '#/components/headers/Link' } } });
    }
  });
});
