import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { signUp } from './client.js';
import { sampleDocument } from './data-document.js';
import type { ServiceProcess } from './service-process.js';

const DOCUMENT_BYTES = 49_000_000;

/** A heap too small for the document. */
export const SMALL_HEAP = '--max-old-space-size=160';

/** A document with as many expenses as fit into {@link DOCUMENT_BYTES}. */
function* largeDocument(): Generator<string> {
  // The only comment is on the expense of the sample.
  const { expenses, ...document } = { ...sampleDocument(), comments: [] };
  const [expense] = expenses;
  const manual = { template_id: null, occurrence_date: null, generated: null };
  const copy = { ...expense, ...manual, comments: 'ñ'.repeat(500) };
  const [before = '', after = ''] = JSON.stringify(document).split('"incomes":');
  yield `${before}"expenses":[`;
  for (let bytes = 0, separator = ''; bytes < DOCUMENT_BYTES; separator = ',\n') {
    const row = `${separator}${JSON.stringify({ ...copy, id: randomUUID() })}`;
    bytes += Buffer.byteLength(row);
    yield row;
  }
  yield `],"incomes":${after}`;
}

/** The resident memory of the process, heap and buffers. */
function residentMegabytes({ pid }: ServiceProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/**
 * Imports and exports a document of almost 50 MB.
 *
 * @returns the number of rows, and how much the resident memory grew at most, in MB
 */
export async function moveLargeDocument(
  service: ServiceProcess,
): Promise<{ rows: number; exported: number; growth: number }> {
  const user = await signUp(service.origin);
  const headers = { Authorization: `Bearer ${user.token ?? ''}` };
  const before = residentMegabytes(service);
  let [largest, isDone] = [before, false];
  const watching = (async () => {
    while (!isDone) {
      largest = Math.max(largest, residentMegabytes(service));
      await setTimeout(50);
    }
  })();
  const body = new Blob([...largeDocument()]);
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
  return { rows: result.imported.expenses, exported, growth: largest - before };
}
