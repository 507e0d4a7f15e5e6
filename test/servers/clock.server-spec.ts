import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSettings } from '../../src/platform/config/settings.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { Client, signIn, signUp, TEST_PASSWORD, uniqueName } from '../support/client.js';
import { serverSettings } from '../support/database-server.js';
import { expectIntegrity } from '../support/integrity.js';
import { startPostgres, type PostgresServer } from '../support/servers.js';
import { useProcesses, type ServiceProcess } from '../support/service-process.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const QUOTA = 60;

const TABLES = [
  'users',
  'households',
  'payment_methods',
  'expense_templates',
  'cycles',
  'cycle_expenses',
  'comments',
];

interface Stamped {
  id: string;
  created_at: string;
  updated_at: string;
}

describe.each(['of the service and its embedded database', 'of the service only'])(
  'the clock %s',
  (clockOf) => {
    const processes = useProcesses(() => ({}), 'file');
    let postgres: PostgresServer | undefined;
    let settings: DatabaseSettings;
    let service: ServiceProcess;
    let user: Client;

    beforeAll(async () => {
      if (clockOf === 'of the service only') postgres = await startPostgres();
      settings = postgres
        ? serverSettings(await postgres.createDatabase())
        : { kind: 'embedded', dataDir: join(processes.folder, 'data') };
      setClock(0);
      const preload = new URL('../support/shifted-clock.js', import.meta.url);
      service = await processes.start({
        ...(settings.kind === 'server' && { DATABASE_URL: settings.url }),
        CLOCK_OFFSET: join(processes.folder, 'clock'),
        NODE_OPTIONS: `--import ${preload.href}`,
        RATE_LIMIT_AUTHENTICATED_PER_HOUR: String(QUOTA),
        TZ: 'America/New_York',
      });
    });

    beforeEach(async () => {
      setClock(0);
      user = await signUp(service.origin);
    });

    // Checks the stored data after all changes of the clock.
    afterAll(async () => {
      await service.stop();
      const { dataSource, close } = await openDatabase(settings, SCHEMA);
      for (const table of TABLES) {
        const wrongOrder = `SELECT id FROM ${table} WHERE updated_at < created_at`;
        const found = await dataSource.query<unknown[]>(wrongOrder);
        expect({ table, found }).toEqual({ table, found: [] });
      }
      await expectIntegrity(dataSource).finally(close);
      await postgres?.remove();
    });

    /** Sets the clock's offset in milliseconds. */
    const setClock = (offset: number): void =>
      writeFileSync(join(processes.folder, 'clock'), String(offset));

    async function timeOf(client: Client): Promise<number> {
      const { timestamp } = await client.read<{ timestamp: string }>('/health');
      return Date.parse(timestamp);
    }

    async function createOneOfEach(): Promise<Record<string, string>> {
      const method = await user.createPaymentMethod();
      const template = await user.createTemplate({ payment_method_id: method.id });
      const cycle = await user.createCycle({ generate_from_templates: false });
      const expense = await user.createExpense(cycle.id, { payment_method_id: method.id });
      const target = { entity_type: 'cycle', entity_id: cycle.id };
      const comment = await user.post('/comments', { ...target, body: 'First' }).expect(201);
      return {
        method: `/payment-methods/${method.id}`,
        template: `/expense-templates/${template.id}`,
        cycle: `/cycles/${cycle.id}`,
        expense: `/cycles/${cycle.id}/expenses/${expense.id}`,
        comment: `/comments/${(comment.body as Stamped).id}`,
      };
    }

    it('the clock is set back and forth: every change has a later time than the one before', async () => {
      const paths = await createOneOfEach();
      const changes = (n: number): [method: 'put' | 'patch', path: string, body: object][] => [
        ['put', paths.method ?? '', { name: uniqueName('Later') }],
        ['put', paths.template ?? '', { description: `Later ${n}` }],
        ['put', paths.cycle ?? '', { name: uniqueName('Later') }],
        ['put', paths.expense ?? '', { description: `Later ${n}` }],
        ['patch', paths.comment ?? '', { body: `Later ${n}` }],
        ['put', '/auth/me', { first_name: `Later ${n}` }],
        ['put', '/households/current', { name: `Later ${n}` }],
      ];
      const last = new Map<string, string>();
      for (const [n, offset] of [-5 * HOUR, 3 * HOUR, -HOUR, -YEAR, 0].entries()) {
        setClock(offset);
        const client = await signIn(service.origin, user.email);
        for (const [method, path, body] of changes(n)) {
          const response = await client.send(method, path).send(body).expect(200);
          const changed = response.body as Stamped & { edited_at?: string };
          const { created_at, updated_at } = changed;
          expect(updated_at > (last.get(path) ?? created_at)).toBe(true);
          if (method === 'patch') expect(changed.edited_at).toBe(updated_at);
          last.set(path, updated_at);
        }
      }
      setClock(-2 * YEAR);
      const client = await signIn(service.origin, user.email);
      await client.delete(paths.cycle ?? '').expect(204);
    });

    it('the clock is set back and forth: lists and feeds stay in order of creation', async () => {
      const cycle = await user.createCycle({ generate_from_templates: false });
      const target = { entity_type: 'cycle', entity_id: cycle.id };
      const createdIds: Record<'methods' | 'expenses' | 'comments', string[]> = {
        methods: [],
        expenses: [],
        comments: [],
      };
      for (const offset of [0, -5 * HOUR, 5 * HOUR, -YEAR]) {
        setClock(offset);
        const client = await signIn(service.origin, user.email);
        const method = await client.createPaymentMethod();
        const expense = await client.createExpense(cycle.id, { payment_method_id: method.id });
        const comment = await client.post('/comments', { ...target, body: 'Next' }).expect(201);
        createdIds.methods.push(method.id);
        createdIds.expenses.push(expense.id);
        createdIds.comments.push((comment.body as Stamped).id);
      }
      setClock(0);
      const idsAt = async (path: string): Promise<string[]> =>
        (await user.read<Stamped[]>(path)).map(({ id }) => id);
      expect((await idsAt('/payment-methods')).reverse()).toEqual(createdIds.methods);
      expect((await idsAt(`/comments?cycle_id=${cycle.id}`)).reverse()).toEqual(
        createdIds.comments,
      );
      const { expenses } = await user.expenses(cycle.id);
      expect(expenses.map(({ id }) => id)).toEqual(createdIds.expenses);
      const feed = (await user.activity(`cycle_id=${cycle.id}`)).filter(
        ({ entity_type }) => entity_type === 'cycle_expense',
      );
      expect(feed.map(({ entity_id }) => entity_id)).toEqual(createdIds.expenses);
      const pages: string[] = [];
      let before = '';
      for (let page = await idsAt(`/activity?cycle_id=${cycle.id}&limit=2`); page.length > 0;) {
        pages.push(...page);
        before = page.at(-1) ?? '';
        page = await idsAt(`/activity?cycle_id=${cycle.id}&limit=2&before=${before}`);
      }
      const all = await user.activity(`cycle_id=${cycle.id}`);
      expect(pages.reverse()).toEqual(all.map(({ id }) => id));
    });

    it('after a jump of the clock, tokens and invitations expire by the new time', async () => {
      const invited = await user.post('/households/current/invitations').expect(201);
      const { code } = invited.body as { code: string };
      const accept = { email: 'guest@example.com', password: TEST_PASSWORD, invitation_code: code };
      setClock(8 * DAY);
      await user.get('/auth/me').expect(401);
      await new Client(service.origin).post('/auth/register', accept).expect(404);
      const later = await signIn(service.origin, user.email);
      await later.get('/auth/me').expect(200);

      setClock(-HOUR);
      await user.get('/auth/me').expect(200);
      await later.get('/auth/me').expect(200);
      await new Client(service.origin).post('/auth/register', accept).expect(201);
    });

    it('after a jump of the clock, no rate limit lasts longer than its window', async () => {
      for (let n = 0; n < QUOTA; n += 1) await user.get('/enums').expect(200);
      for (const offset of [-5 * HOUR, -YEAR]) {
        setClock(offset);
        const { email, token } = await signIn(service.origin, user.email);
        const refused = await new Client(service.origin, email, token).get('/enums').expect(429);
        const retryAfter = Number(refused.get('Retry-After'));
        expect(retryAfter).toBeGreaterThan(0);
        expect(retryAfter).toBeLessThanOrEqual(3600);
        expect(refused.get('RateLimit')).toMatch(`;t=${retryAfter}`);
      }
      setClock(2 * HOUR);
      const client = await signIn(service.origin, user.email);
      await client.get('/enums').expect(200);
    });

    it('the service passes the ends of years and of daylight saving time', async () => {
      // In New York clocks go forward on 8 March 2026 and back on 1 November.
      for (const moment of [
        '2026-03-08T06:59',
        '2026-03-08T07:01',
        '2026-11-01T06:01',
        '2027-01-01T00:00',
      ]) {
        const offset = Date.parse(`${moment}:00Z`) - Date.now();
        setClock(offset);
        const client = await signIn(service.origin, user.email);
        const time = await timeOf(client);
        expect(new Date(time).toISOString().slice(0, 15)).toBe(moment.slice(0, 15));
        const { id } = await client.createCycle();
        expect(await client.cycle(id)).toMatchObject({
          start_date: '2026-01-19',
          end_date: '2026-03-01',
        });
      }
    });
  },
);
