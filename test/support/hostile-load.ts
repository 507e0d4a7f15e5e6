/**
 * Requests that once ended a process of 512 MB. They need an origin alone, so that they can be sent
 * to any service.
 */
import { expect } from '@jest/globals';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import { uniqueName, type Client } from './client.js';
import { importText } from './data-document.js';
import { eventually } from './eventually.js';
import { openSocket, parseResponses, receiveAll } from './raw-http.js';
import { tokenOf } from './sample-entities.js';

/** The number of responses by status; `closed` for requests whose connection ended before. */
export type Statuses = Record<string, number>;

export function count(statuses: Statuses, status: number | string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

export const total = (statuses: Statuses): number =>
  Object.values(statuses).reduce((sum, number) => sum + number, 0);

/** Sends a request, reads its response, and disconnects after a time if that is given. */
export async function statusOf(url: string, init: RequestInit = {}, ms?: number): Promise<string> {
  try {
    const signal = ms === undefined ? undefined : AbortSignal.timeout(ms);
    const response = await fetch(url, { ...init, signal });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return 'closed';
  }
}

/** Sends requests at the same time. */
async function atOnce(number: number, send: () => Promise<string>): Promise<Statuses> {
  const statuses: Statuses = {};
  await Promise.all(Array.from({ length: number }, async () => count(statuses, await send())));
  return statuses;
}

export const authorizationOf = ({ token }: Client): Record<string, string> => ({
  Authorization: `Bearer ${token ?? ''}`,
});

const COMPRESSED_JSON = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };

/** Sends the same compressed document for every user at the same time. */
export async function importAtOnce(
  origin: string,
  users: readonly Client[],
  text: string,
): Promise<Statuses> {
  const body = gzipSync(text);
  const statuses: Statuses = {};
  await Promise.all(
    users.map(async (user) => {
      const headers = { ...COMPRESSED_JSON, ...authorizationOf(user) };
      const init = { method: 'POST', headers, body };
      count(statuses, await statusOf(`${origin}/api/v1/import`, init));
    }),
  );
  return statuses;
}

/** Imports of 9.9 MB, of which the last bytes do not arrive; or compressed ones, of 9.7 KB. */
export class UnfinishedImports {
  readonly statuses: Statuses = {};
  private readonly sockets: Socket[] = [];

  async open(origin: string, users: readonly Client[], coding: 'gzip' | 'identity'): Promise<void> {
    const { hostname, port } = new URL(origin);
    const text = `{"expenses":[${' '.repeat(9_900_000)}`;
    const body = coding === 'gzip' ? gzipSync(text) : Buffer.from(text);
    for (const user of users) {
      const socket = await openSocket(Number(port), hostname);
      this.sockets.push(socket);
      void receiveAll(socket).then((bytes) => {
        for (const { status } of parseResponses(bytes)) count(this.statuses, status);
      });
      const headers = {
        ...{ ...COMPRESSED_JSON, 'Content-Encoding': coding },
        ...{ ...authorizationOf(user), Host: 'x' },
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `POST /api/v1/import HTTP/1.1\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n`,
      );
      // Of compressed ones the last bytes are the checksum.
      socket.write(body.subarray(0, -8));
    }
  }

  /** Waits until this many have a response. */
  async waitForResponses(number: number): Promise<void> {
    await eventually(`${number} responses`, () => total(this.statuses) >= number);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Reads one calendar many times at the same time. */
export async function readCalendarAtOnce(
  origin: string,
  user: Client,
  number: number,
): Promise<Statuses> {
  const token = tokenOf(await user.createCalendarFeed());
  return atOnce(number, () => statusOf(`${origin}/calendar/${token}.ics`));
}

const GENERATED_ROWS = 1000;
const TEMPLATES = 25;

/**
 * Creates cycles of as many generated rows as allowed at the same time. @returns also the ids of
 * those created
 */
export async function generateAtOnce(
  origin: string,
  user: Client,
  number: number,
): Promise<{ statuses: Statuses; ids: string[] }> {
  const { id } = await user.createPaymentMethod();
  for (let n = 0; n < TEMPLATES; n += 1) {
    await user.createTemplate({
      ...{ payment_method_id: id, recurrence_type: 'bi_weekly' },
      recurrence_config: { interval_days: 1 },
    });
  }
  const ids: string[] = [];
  const period = { start_date: '2026-01-01', end_date: '2026-02-09', income_amount: '1.00' };
  const statuses = await atOnce(number, async () => {
    const response = await fetch(`${origin}/api/v1/cycles`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...authorizationOf(user) },
      body: JSON.stringify({ ...period, name: uniqueName('Generated') }),
    });
    const body = (await response.json()) as CycleResponse;
    if (response.status === 201) ids.push(body.id);
    return String(response.status);
  });
  return { statuses, ids };
}

/** Expects every cycle to have all its generated rows. */
export async function expectGenerated(user: Client, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { summary } = await user.cycle(id);
    expect(summary).toMatchObject({ expense_count: GENERATED_ROWS });
  }
}

/** Sends requests in waves and closes their connections after a time. */
export async function disconnect(
  request: { url: string; init: RequestInit },
  { number, atATime, ms }: { number: number; atATime: number; ms: number },
): Promise<Statuses> {
  const statuses: Statuses = {};
  for (let sent = 0; sent < number; sent += atATime) {
    const wave = await atOnce(atATime, () => statusOf(request.url, request.init, ms));
    for (const [status, times] of Object.entries(wave)) {
      statuses[status] = (statuses[status] ?? 0) + times;
    }
    await setTimeout(ms);
  }
  return statuses;
}

/** Imports a document; one that is refused because another import is running is sent again. */
export async function importDocument(user: Client, text: string): Promise<Record<string, number>> {
  for (;;) {
    const response = await importText(user, text);
    if (response.status === 503) {
      await setTimeout(Number(response.get('Retry-After')) * 1000);
      continue;
    }
    expect({ status: response.status, body: response.body as unknown }).toMatchObject({
      status: 200,
    });
    return (response.body as { imported: Record<string, number> }).imported;
  }
}
