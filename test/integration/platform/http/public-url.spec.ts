import { describe, expect, it } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import { useService } from '../../../support/service.js';

interface Document {
  info: { description: string };
  servers: { url: string }[];
  components: {
    securitySchemes: { bearer: { flows: { password: { tokenUrl: string } } } };
  };
}

/** The addresses in the OpenAPI document. */
const addressesIn = ({ info, servers, components }: Document): unknown => ({
  servers: servers.map(({ url }) => url),
  tokenUrl: components.securitySchemes.bearer.flows.password.tokenUrl,
  links: [...info.description.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link),
});

describe('PUBLIC_URL', () => {
  const service = useService({ publicUrl: 'https://example.com/gastos', trustProxy: 1 });
  const hostOnly = useService({ publicUrl: 'https://example.com' });
  const without = useService({ trustProxy: 1 });

  const read = (path: string, { server } = service): Test => request(server).get(path).expect(200);

  it('PUBLIC_URL is the beginning of the address of a calendar, whatever the headers of the request', async () => {
    const user = await service.signUp();
    const response = await user
      .post('/calendar-feeds', { name: 'Gastos' })
      .set({ 'X-Forwarded-Host': 'other.example', 'X-Forwarded-Proto': 'http' })
      .expect(201);
    const { url } = response.body as { url: string };
    expect(url).toMatch(/^https:\/\/example\.com\/gastos\/calendar\/[\w-]{43}\.ics$/);
    const { text } = await read(url.slice('https://example.com/gastos'.length));
    expect(text).toMatch(/^BEGIN:VCALENDAR/);
  });

  it('PUBLIC_URL without a setting is the scheme and host of the request, as a trusted proxy gives them', async () => {
    const user = await without.signUp();
    const response = await user
      .post('/calendar-feeds', { name: 'Gastos' })
      .set({ 'X-Forwarded-Host': 'expenses.example:8443', 'X-Forwarded-Proto': 'https' })
      .expect(201);
    expect((response.body as { url: string }).url).toMatch(
      /^https:\/\/expenses\.example:8443\/calendar\//,
    );
  });

  it.each([
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Proto', ''],
    ['X-Forwarded-Proto', 'https://evil.example/?'],
    ['X-Forwarded-Host', 'evil.example/path?'],
    ['X-Forwarded-Host', 'user@evil.example'],
    ['X-Forwarded-Host', 'evil.example:port'],
    ['X-Forwarded-Host', '-->'],
    ['X-Forwarded-Host', '[:::1]'],
    ['X-Forwarded-Host', 'evil.example:70000'],
  ])('PUBLIC_URL without a setting ignores %s: %s', async (name, value) => {
    const user = await without.signUp();
    const response = await user
      .post('/calendar-feeds', { name: 'Gastos' })
      .set({ Host: 'expenses.example', [name]: value })
      .expect(201);
    expect((response.body as { url: string }).url).toMatch(
      /^http:\/\/expenses\.example\/calendar\//,
    );
  });

  it.each(['gastos_1:3000', '[2001:db8::1]:8443', '192.0.2.1'])(
    'PUBLIC_URL without a setting takes the forwarded host %s',
    async (host) => {
      const user = await without.signUp();
      const response = await user
        .post('/calendar-feeds', { name: 'Gastos' })
        .set({ 'X-Forwarded-Host': host })
        .expect(201);
      expect((response.body as { url: string }).url.startsWith(`http://${host}/`)).toBe(true);
    },
  );

  it('PUBLIC_URL is the beginning of the addresses in the OpenAPI document and in Swagger UI', async () => {
    const { body: document } = (await read('/docs/openapi.json')) as { body: Document };
    expect(addressesIn(document)).toEqual({
      servers: ['https://example.com/gastos'],
      tokenUrl: 'https://example.com/gastos/api/v1/auth/login',
      links: ['https://example.com/gastos/docs/openapi.json'],
    });
    const script = await read('/docs/swagger-ui-init.js');
    expect(script.text).toContain('"swaggerUrl": "/gastos/docs/openapi.json"');
    const page = await read('/docs');
    expect(page.text).not.toMatch(/(?:href|src)="\//);
  });

  it('PUBLIC_URL is all that differs in the OpenAPI document', async () => {
    const { text } = await read('/docs/openapi.json');
    const { text: expected } = await read('/docs/openapi.json', without);
    expect(addressesIn(JSON.parse(expected) as Document)).toEqual({
      servers: ['/'],
      tokenUrl: '/api/v1/auth/login',
      links: ['/docs/openapi.json'],
    });
    const withoutHost = text
      .replaceAll('"https://example.com/gastos"', '"/"')
      .replaceAll('https://example.com/gastos/', '/');
    // A boolean, because the document is long.
    expect(withoutHost === expected).toBe(true);
  });

  describe.each([
    ['/gastos', () => service],
    ['', () => hostOnly],
    ['', () => without],
  ])('its path "%s"', (prefix, serviceWith) => {
    it.each(['/', '/api/v1'])(
      `PUBLIC_URL has the path "${prefix}" that begins where %s redirects to`,
      async (path) => {
        const response = await request(serviceWith().server).get(path).expect(302);
        expect(response.get('Location')).toBe(`${prefix}/docs`);
      },
    );

    it(`PUBLIC_URL has the path "${prefix}" that begins the Location header`, async () => {
      const user = await serviceWith().signUp();
      const created = await user.post('/budgets', { name: 'Food' }).expect(201);
      const { id } = created.body as { id: string };
      expect(created.get('Location')).toBe(`${prefix}/api/v1/budgets/${id}`);
    });

    it(`PUBLIC_URL has the path "${prefix}" that begins the Link header`, async () => {
      const user = await serviceWith().signUp();
      const { id } = await user.createPaymentMethod();
      await user.put(`/payment-methods/${id}`, { name: 'Changed' }).expect(200);
      const commented = { entity_type: 'payment_method', entity_id: id };
      for (const body of ['one', 'two']) {
        await user.post('/comments', { ...commented, body }).expect(201);
      }
      for (const list of ['activity', 'comments']) {
        const query = `entity_type=payment_method&entity_id=${id}&limit=1`;
        const first = await user.get(`/${list}?${query}`).expect(200);
        const link = linkOf(first);
        expect(link.startsWith(`${prefix}/api/v1/${list}?${query}&before=`)).toBe(true);
        const next = await user.get(link.slice(`${prefix}/api/v1`.length)).expect(200);
        expect(next.body).toHaveLength(1);
        expect(next.body).not.toEqual(first.body);
      }
      await user.createCycle();
      expect((await user.get('/cycles').expect(200)).get('Link')).toBe(
        `<${prefix}/api/v1/cycles?page=1>;rel="first", <${prefix}/api/v1/cycles?page=1>;rel="last"`,
      );
    });
  });
});

const linkOf = (response: Response): string =>
  /^<([^>]*)>; rel="next"$/.exec(response.get('Link') ?? '')?.[1] ?? '';
