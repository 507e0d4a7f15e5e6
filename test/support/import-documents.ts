import { randomUUID } from 'node:crypto';
import { sampleDocument, type Document, type Row } from './data-document.js';
import { largeDocument } from './large-document.js';

const MAX_BYTES = 9_990_000;
const ROWS_PER_CYCLE = 1000;

/**
 * Adds rows to a section, with a new cycle for every thousand of them, up to a number of rows or
 * the largest size.
 */
function filled(section: 'expenses' | 'comments', row: Row, maxRows = Infinity): Document {
  const { payment_methods, cycles, ...sample } = sampleDocument();
  const [[method], [cycle]] = [payment_methods, cycles];
  const document: Document = {
    ...sample,
    ...{ payment_methods, cycles: [], expense_templates: [], income_templates: [] },
    ...{ expenses: [], incomes: [], comments: [] },
  };
  let bytes = JSON.stringify(document).length;
  const add = (to: Row[], added: Row): void => {
    to.push(added);
    bytes += Buffer.byteLength(JSON.stringify(added)) + 1;
  };
  const rows = document[section];
  while (bytes < MAX_BYTES && rows.length < maxRows) {
    if (rows.length % ROWS_PER_CYCLE === 0) {
      const name = `Cycle ${rows.length}`;
      add(document.cycles, { ...cycle, id: randomUUID(), name, status: 'active' });
    }
    const { id } = document.cycles.at(-1) ?? {};
    const reference = section === 'expenses' ? { cycle_id: id } : { entity_id: id };
    const method_id = section === 'expenses' ? { payment_method_id: method?.id } : {};
    add(rows, { id: randomUUID(), ...reference, ...method_id, ...row });
  }
  rows.pop();
  return document;
}

const EXPENSE = {
  ...{ currency: 'USD', amount: '1', amount_usd: '1', category: 'fixed', status: 'pending' },
};

const today = (): string => new Date().toISOString().slice(0, 10);

/** Documents of almost 10 MB that an import must take, by what they have as much of as fits. */
export const LARGEST_DOCUMENTS: Record<string, () => string> = {
  text: largeDocument,
  values: () =>
    JSON.stringify(
      filled('expenses', {
        ...{ ...EXPENSE, description: 'x', due_date: today() },
        ...{ exchange_rate: null, template_id: null, occurrence_date: null, paid_at: null },
        ...{ generated: null, comments: null, autopay_info: null },
        ...{ created_at: null, updated_at: null },
      }),
    ),
  records: () => JSON.stringify(filled('comments', { entity_type: 'cycle', body: 'x' })),
};

/** A document whose expenses are all in a calendar, with long descriptions. */
export const calendarDocument = (expenses: number): string =>
  JSON.stringify(
    filled(
      'expenses',
      { ...EXPENSE, description: 'ñ'.repeat(255), due_date: today() },
      expenses + 1,
    ),
  );

const MAX_VALUES = 499_000;

const differentMembers = (count: number, object = 0): string =>
  Array.from({ length: count }, (_, n) => `"member ${object}.${n}":0`).join(',');

const join = (count: number, value: (n: number) => string): string =>
  `{"expenses":[${Array.from({ length: count }, (_, n) => value(n)).join(',')}]}`;

/** Texts of almost 10 MB that an import must refuse. */
export const REFUSED_DOCUMENTS: Record<string, () => string> = {
  'five million open brackets': () => '['.repeat(5_000_000),
  'arrays nested 100 levels in expenses': () =>
    join(45_000, () => '['.repeat(100) + ']'.repeat(100)),
  'four million values': () => join(4_000_000, () => '0'),
  'as many empty objects as allowed': () => join(MAX_VALUES, () => '{}'),
  'as many different members as allowed': () => join(MAX_VALUES / 2, (n) => `{"member ${n}":0}`),
  'arrays nested as deeply as allowed': () => join(16_000, () => '['.repeat(29) + ']'.repeat(29)),
  'ten objects with as many members as allowed': () =>
    join(10, (n) => `{${differentMembers(MAX_VALUES / 10 - 1, n)}}`),
  'as many objects with 100 different members as allowed': () =>
    join(MAX_VALUES / 101, (n) => `{${differentMembers(100, n)}}`),
  'one object with as many members as allowed': () => `{${differentMembers(MAX_VALUES)}}`,
};
