import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signUp, signUpMany, type Client } from '../support/client.js';
import {
  buildImage,
  docker,
  EmbeddedContainers,
  forgetPeak,
  IMAGE,
  inspect,
  logsOf,
  residentMemory,
} from '../support/containers.js';
import { exportText, importText } from '../support/data-document.js';
import { eventually } from '../support/eventually.js';
import {
  authorizationOf,
  disconnect,
  expectGenerated,
  generateAtOnce,
  importAtOnce,
  importDocument,
  readCalendarAtOnce,
  UnfinishedImports,
} from '../support/hostile-load.js';
import {
  calendarDocument,
  LARGEST_DOCUMENTS,
  REFUSED_DOCUMENTS,
} from '../support/import-documents.js';
import { MixedLoad } from '../support/mixed-load.js';
import { PostgresContainer } from '../support/postgres-container.js';
import { repetitions } from '../support/repetitions.js';
import { WriteLoad } from '../support/write-load.js';

/** A tenth of the limit is to spare. */
const MAX_RESIDENT_MB = 0.9 * 512;
const LOAD_MS = repetitions(1) * 60_000;
const CALENDAR_ENTRIES = 6000;

/** The limits on what a process holds at a time apply, those on what it does in an hour do not. */
const SETTINGS = {
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_AUTHENTICATED_PER_HOUR: '1000000',
  RATE_LIMIT_REPORTS_PER_HOUR: '1000000',
  RATE_LIMIT_AUTH_PER_MINUTE: '1000000',
  RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE: '1000000',
};

describe.each(['the embedded database', 'a PostgreSQL server'])('512 MB, with %s,', (database) => {
  const containers = new EmbeddedContainers();
  const postgres = new PostgresContainer();
  const options = {
    volume: containers.volume(database.replaceAll(' ', '-')),
    memory: '512m',
    env: SETTINGS,
  };
  const load = new WriteLoad();
  let name: string;
  let origin: string;
  let startedAt: string;
  let users: Client[];

  /** Prints and checks the resident memory now, and the most since the last time. */
  async function report(stage: string, figures: object = {}): Promise<void> {
    const [now, peak] = [await residentMemory(name, 'VmRSS'), await residentMemory(name, 'VmHWM')];
    const details = JSON.stringify(figures);
    process.stdout.write(`${database}: ${stage}: ${now} MB, at most ${peak} MB ${details}\n`);
    await forgetPeak(name);
    expect(peak).toBeLessThan(MAX_RESIDENT_MB);
  }

  /** Expects the first process of the container to be the same, and to answer. */
  async function expectRunning(): Promise<void> {
    const state = {
      startedAt: await inspect(name, '.State.StartedAt'),
      isRunning: await inspect(name, '.State.Running'),
      isOutOfMemory: await inspect(name, '.State.OOMKilled'),
      restarts: await inspect(name, '.RestartCount'),
    };
    if (state.isRunning !== 'true') {
      const exitCode = await inspect(name, '.State.ExitCode');
      process.stdout.write(`Exit code ${exitCode}\n${(await logsOf(name)).slice(-2000)}`);
    }
    expect(state).toEqual({
      startedAt,
      isRunning: 'true',
      isOutOfMemory: 'false',
      restarts: '0',
    });
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    await (await signUp(origin)).get('/auth/me').expect(200);
  }

  /** What the requests of a case do, while others write. */
  async function survive(stage: string, attack: () => Promise<object>): Promise<void> {
    await load.start(origin, 2);
    let figures = {};
    try {
      figures = await attack();
    } catch (error) {
      // The cause of the other, if it has ended.
      await expectRunning();
      throw error;
    } finally {
      await load.stop();
    }
    await report(stage, figures);
    await expectRunning();
    await load.expectPersisted(origin);
  }

  beforeAll(async () => {
    await buildImage(IMAGE);
    if (database === 'a PostgreSQL server') {
      Object.assign(options, await postgres.start(SETTINGS));
    }
    ({ name, origin } = await containers.start(options));
    await report('first start');
    await docker(['rm', '--force', name]);
    ({ name, origin } = await containers.start(options));
    await report('later start');
    startedAt = await inspect(name, '.State.StartedAt');
    users = await signUpMany(origin, 60);
  });

  afterAll(() => postgres.stop());

  it.each(Object.keys(LARGEST_DOCUMENTS))(
    'are enough to import and export the document with the most %s',
    async (most) => {
      await survive(`import of the most ${most}`, async () => {
        const user = await signUp(origin);
        const text = LARGEST_DOCUMENTS[most]?.() ?? '';
        const imported = await importDocument(user, text);
        const exported = await exportText(user);
        return {
          bytes: text.length,
          values: text.match(/[[{,]/g)?.length,
          imported,
          exported: exported.length,
        };
      });
    },
  );

  it.each(Object.keys(REFUSED_DOCUMENTS))('are enough to refuse %s', async (text) => {
    await survive(text, async () => {
      const document = REFUSED_DOCUMENTS[text]?.() ?? '';
      const response = await importText(await signUp(origin), document);
      expect(response.status).toBe(422);
      const statuses = await importAtOnce(origin, users.slice(0, 20), document);
      expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['422']));
      expect(['422', '503']).toEqual(expect.arrayContaining(Object.keys(statuses)));
      return statuses;
    });
  });

  it('are enough for 60 unfinished imports of 10 MB', async () => {
    await survive('unfinished imports', async () => {
      const imports = new UnfinishedImports();
      try {
        const half = users.length / 2;
        // A compressed one takes what was sent.
        await imports.open(origin, users.slice(0, half), 'gzip');
        await imports.open(origin, users.slice(half), 'identity');
        // 32 MB are those of three.
        await imports.waitForResponses(half - 3);
        await (await signUp(origin)).get('/auth/me').expect(200);
        expect(Object.keys(imports.statuses)).toContain('503');
        // 408 after 30 s, on a slow machine.
        expect(['408', '503']).toEqual(expect.arrayContaining(Object.keys(imports.statuses)));
      } finally {
        imports.close();
      }
      return imports.statuses;
    });
  });

  it('are enough for 55 simultaneous requests for a calendar', async () => {
    await survive('calendars', async () => {
      const user = await signUp(origin);
      await importDocument(user, calendarDocument(CALENDAR_ENTRIES));
      const statuses = await readCalendarAtOnce(origin, user, 55);
      expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200']));
      expect(['200', '503']).toEqual(expect.arrayContaining(Object.keys(statuses)));
      return statuses;
    });
  });

  it('are enough for 50 simultaneous cycles of 1,000 generated rows', async () => {
    await survive('cycles', async () => {
      const user = await signUp(origin);
      const { statuses, ids } = await generateAtOnce(origin, user, 50);
      expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['201']));
      expect(['201', '503']).toEqual(expect.arrayContaining(Object.keys(statuses)));
      await expectGenerated(user, ids);
      return statuses;
    });
  });

  it('are enough for 900 updates and 90 exports that nobody waits for', async () => {
    await survive('disconnected clients', async () => {
      const user = await signUp(origin);
      await importDocument(user, LARGEST_DOCUMENTS.text?.() ?? '');
      const { id } = await user.createCycle({ generate_from_templates: false });
      const headers = { 'Content-Type': 'application/json', ...authorizationOf(user) };
      const update = {
        url: `${origin}/api/v1/cycles/${id}`,
        init: { method: 'PUT', headers, body: JSON.stringify({ income_amount: '7.00' }) },
      };
      const updates = await disconnect(update, { number: 900, atATime: 50, ms: 15 });
      const exported = { url: `${origin}/api/v1/export`, init: { headers } };
      const exports = await disconnect(exported, { number: 90, atATime: 30, ms: 40 });
      const expected = ['200', '429', '503', 'closed'];
      expect(expected).toEqual(expect.arrayContaining(Object.keys({ ...updates, ...exports })));
      await eventually('the user is served again', async () => {
        const response = await user.get('/auth/me');
        expect([200, 429]).toContain(response.status);
        return response.status === 200;
      });
      return { updates, exports };
    });
  });

  it(
    'are enough for a minute of reads, writes, imports, exports and calendars',
    async () => {
      const mixed = await MixedLoad.prepare(origin);
      await mixed.run(LOAD_MS);
      await report('mixed load', { ...mixed.statuses, writes: mixed.writeCount });
      const allowed = {
        // One that takes over 30 s, on a slow machine, is ended.
        calendar: ['200', '429', '503', 'closed'],
        export: ['200', '429', '503'],
        read: ['200', '503'],
        import: ['200', '503'],
      };
      for (const [kind, expected] of Object.entries(allowed)) {
        const statuses = Object.keys(mixed.statuses[kind as keyof typeof allowed]);
        expect(statuses).toContain('200');
        expect(expected).toEqual(expect.arrayContaining(statuses));
      }
      await expectRunning();
      await mixed.expectPersisted();
    },
    LOAD_MS + 600_000,
  );
});
