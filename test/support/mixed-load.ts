import { expect } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { signUp, signUpMany, type Client } from './client.js';
import { exportText } from './data-document.js';
import { authorizationOf, count, importDocument, statusOf, type Statuses } from './hostile-load.js';
import { calendarDocument, LARGEST_DOCUMENTS } from './import-documents.js';
import { tokenOf } from './sample-entities.js';
import { WriteLoad } from './write-load.js';

/** As many as a calendar has. */
const CALENDAR_ENTRIES = 5000;
/** More than a process makes at a time and lets wait, so that some are refused. */
const CONCURRENT = { calendars: 12, exports: 12, imports: 2, readers: 8, writers: 8 };

const PAUSE_MS = 20;

type Kind = 'calendar' | 'export' | 'read' | 'import';

/**
 * Reads, writes, exports, imports and calendars at the same time, each as many as the service
 * allows or more.
 */
export class MixedLoad {
  readonly statuses: Record<Kind, Statuses> = { calendar: {}, export: {}, read: {}, import: {} };
  private readonly writes = new WriteLoad();
  private readonly imported: { user: Client; rows: Record<string, number> }[] = [];

  private constructor(
    private readonly origin: string,
    private readonly owners: readonly Client[],
    private readonly feeds: readonly string[],
  ) {}

  /** Imports what is read later. */
  static async prepare(origin: string): Promise<MixedLoad> {
    const owners = await signUpMany(origin, CONCURRENT.exports / 2);
    const feeds: string[] = [];
    for (const owner of owners) {
      await importDocument(owner, calendarDocument(CALENDAR_ENTRIES));
      for (let n = 0; n < 2; n += 1) feeds.push(tokenOf(await owner.createCalendarFeed()));
    }
    return new MixedLoad(origin, owners, feeds);
  }

  async run(ms: number): Promise<void> {
    const end = Date.now() + ms;
    const repeat = async (work: (n: number) => Promise<void>): Promise<void> => {
      for (let n = 0; Date.now() < end; n += 1) {
        await work(n);
        await setTimeout(PAUSE_MS);
      }
    };
    const many = (number: number, work: (worker: number, n: number) => Promise<void>) =>
      Array.from({ length: number }, (_, worker) => repeat((n) => work(worker, n)));
    const get = async (kind: Kind, path: string, authorization = {}) =>
      count(this.statuses[kind], await statusOf(this.origin + path, { headers: authorization }));
    const headers = this.owners.map(authorizationOf);
    const ownerOf = (worker: number) => headers[worker % headers.length];

    const documents = Object.values(LARGEST_DOCUMENTS).map((make) => make());

    await this.writes.start(this.origin, CONCURRENT.writers);
    await Promise.all([
      ...many(CONCURRENT.calendars, (worker) =>
        get('calendar', `/calendar/${this.feeds[worker % this.feeds.length] ?? ''}.ics`),
      ),
      ...many(CONCURRENT.exports, (worker) => get('export', '/api/v1/export', ownerOf(worker))),
      ...many(CONCURRENT.readers, (worker, n) => {
        const path = n % 2 === 0 ? '/cycles?per_page=100' : '/expenses?per_page=100';
        return get('read', `/api/v1${path}`, ownerOf(worker));
      }),
      ...many(CONCURRENT.imports, (_worker, n) => this.import(documents[n % documents.length])),
    ]);
    await this.writes.stop();
  }

  /** Expects every acknowledged write and import to be there. */
  async expectPersisted(): Promise<void> {
    await this.writes.expectPersisted(this.origin);
    for (const { user, rows } of this.imported) {
      const document = JSON.parse(await exportText(user)) as Record<string, unknown[]>;
      for (const [section, number] of Object.entries(rows)) {
        expect([section, document[section]?.length]).toEqual([section, number]);
      }
    }
  }

  get writeCount(): number {
    return this.writes.counts.acknowledged;
  }

  private async import(text?: string): Promise<void> {
    const user = await signUp(this.origin);
    const response = await fetch(`${this.origin}/api/v1/import`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...authorizationOf(user) },
      body: text ?? '',
    });
    const body = (await response.json()) as { imported: Record<string, number> };
    count(this.statuses.import, response.status);
    if (response.status === 200) this.imported.push({ user, rows: body.imported });
  }
}
