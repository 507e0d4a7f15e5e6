import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Section } from '../../src/records/record-types.js';
import { signUp } from './client.js';
import { sampleDocument } from './data-document.js';
import { residentMegabytes } from './resident-memory.js';
import type { ServiceProcess } from './service-process.js';

const DOCUMENT_BYTES = 9_900_000;

/** Less than a cycle may have. */
const EXPENSES_PER_CYCLE = 1500;

const TEMPLATES = 500;

/** A document of {@link DOCUMENT_BYTES} with rows of every kind, most of them expenses. */
export function largeDocument(): string {
  const document = sampleDocument();
  const { expenses, cycles, incomes, comments } = document;
  const [[expense], [cycle], [income], [comment]] = [expenses, cycles, incomes, comments];
  for (const section of ['expense_templates', 'income_templates'] as const) {
    const [template] = document[section];
    for (let n = 1; n < TEMPLATES; n += 1) {
      document[section].push({ ...template, id: randomUUID() });
    }
  }
  const manual = { template_id: null, occurrence_date: null, generated: null };
  for (let bytes = JSON.stringify(document).length; bytes < DOCUMENT_BYTES;) {
    const count = expenses.length;
    if (count % EXPENSES_PER_CYCLE === 0) {
      cycles.push({ ...cycle, id: randomUUID(), name: `Cycle ${count}` });
    }
    const cycle_id = cycles.at(-1)?.id;
    const id = randomUUID();
    const row = { ...expense, ...manual, cycle_id, id, comments: 'ñ'.repeat(30) };
    expenses.push(row);
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    if (count % 4 !== 0) continue;
    const more = [
      { ...income, cycle_id, id: randomUUID() },
      { ...comment, entity_id: id, id: randomUUID() },
    ] as const;
    incomes.push(more[0]);
    comments.push(more[1]);
    bytes += JSON.stringify(more).length;
  }
  return JSON.stringify(document);
}

/**
 * Imports and exports a document of almost 10 MB.
 *
 * @returns the number of rows, how much the resident memory grew at most, in MB, and how long other
 *   requests waited at most, in ms: one that does not use the database, and one of another user
 *   that reads it
 */
export async function moveLargeDocument(service: ServiceProcess): Promise<{
  rows: number;
  exported: number;
  growth: number;
  wait: number;
  databaseWait: number;
}> {
  const user = await signUp(service.origin);
  const other = await signUp(service.origin);
  const headers = { Authorization: `Bearer ${user.token ?? ''}` };
  // Before other requests are timed: it blocks this thread.
  const body = Buffer.from(largeDocument());
  const before = residentMegabytes(service);
  let [largest, isDone] = [before, false];
  const longestResponse = async (url: string, init?: RequestInit): Promise<number> => {
    let longest = 0;
    while (!isDone) {
      largest = Math.max(largest, residentMegabytes(service));
      const begin = performance.now();
      const response = await fetch(url, init);
      await response.text();
      expect(response.status).toBe(200);
      longest = Math.max(longest, performance.now() - begin);
      await setTimeout(50);
    }
    return longest;
  };
  const watching = Promise.all([
    longestResponse(`${service.origin}/health/live`),
    longestResponse(`${service.api}/auth/me`, {
      headers: { Authorization: `Bearer ${other.token ?? ''}` },
    }),
  ]);
  const imported = await fetch(`${service.api}/import`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  const result = (await imported.json()) as { imported: Record<Section, number> };
  expect({ status: imported.status, result }).toMatchObject({ status: 200 });
  const response = await fetch(`${service.api}/export`, { headers });
  expect(response.status).toBe(200);
  let exported = 0;
  for await (const chunk of response.body ?? []) exported += (chunk as Uint8Array).length;
  isDone = true;
  const [wait, databaseWait] = await watching;
  const rows = Object.values(result.imported).reduce((sum, count) => sum + count, 0);
  return { rows, exported, growth: largest - before, wait, databaseWait };
}
