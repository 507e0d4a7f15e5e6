import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { signUp } from './client.js';
import { sampleDocument } from './data-document.js';
import type { ServiceProcess } from './service-process.js';

const DOCUMENT_BYTES = 9_900_000;

/** Less than a cycle may have. */
const EXPENSES_PER_CYCLE = 1500;

/** A document with as many expenses as fit into {@link DOCUMENT_BYTES}. */
export function largeDocument(): string {
  // The only comment is on the expense of the sample.
  const document = { ...sampleDocument(), comments: [] };
  const [[expense], [cycle]] = [document.expenses, document.cycles];
  const manual = { template_id: null, occurrence_date: null, generated: null };
  for (let bytes = JSON.stringify(document).length; bytes < DOCUMENT_BYTES;) {
    const count = document.expenses.length;
    if (count % EXPENSES_PER_CYCLE === 0) {
      document.cycles.push({ ...cycle, id: randomUUID(), name: `Cycle ${count}` });
    }
    const cycle_id = document.cycles.at(-1)?.id;
    const row = { ...expense, ...manual, cycle_id, id: randomUUID(), comments: 'ñ'.repeat(30) };
    document.expenses.push(row);
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
  }
  return JSON.stringify(document);
}

/** The resident memory of the process, heap and buffers. */
function residentMegabytes({ pid }: ServiceProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Imports and exports a document of almost 10 MB.
 *
 * @returns the number of rows, how much the resident memory grew at most, in MB, and how long another request waited at
 *   most, in ms
 */
export async function moveLargeDocument(
  service: ServiceProcess,
): Promise<{ rows: number; exported: number; growth: number; wait: number }> {
  const user = await signUp(service.origin);
  const headers = { Authorization: `Bearer ${user.token ?? ''}` };
  const before = residentMegabytes(service);
  let [largest, wait, isDone] = [before, 0, false];
  const watching = (async () => {
    while (!isDone) {
      largest = Math.max(largest, residentMegabytes(service));
      const begin = performance.now();
      await (await fetch(`${service.origin}/health/live`)).text();
      wait = Math.max(wait, performance.now() - begin);
      await setTimeout(50);
    }
  })();
  const body = largeDocument();
  const imported = await fetch(`${service.api}/import`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  const result = (await imported.json()) as { imported: { expenses: number } };
  expect({ status: imported.status, result }).toMatchObject({ status: 200 });
  const response = await fetch(`${service.api}/export`, { headers });
  expect(response.status).toBe(200);
  let exported = 0;
  for await (const chunk of response.body ?? []) exported += (chunk as Uint8Array).length;
  isDone = true;
  await watching;
  return { rows: result.imported.expenses, exported, growth: largest - before, wait };
}
