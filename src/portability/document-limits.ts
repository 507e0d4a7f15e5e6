import { MAX_BALANCES } from '../balances/balance.entity.js';
import { MAX_BUDGETS } from '../budgets/budget.entity.js';
import { MAX_CARD_STATEMENTS } from '../cards/card-statement.entity.js';
import { MAX_COMMENTS } from '../comments/comment.entity.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { MAX_CYCLES } from '../ledger/entities/cycle.entity.js';
import { MAX_PAYMENT_METHODS } from '../payment-methods/payment-method.entity.js';
import { withPauses } from '../platform/process/pauses.js';
import type { Section } from '../records/record-types.js';
import { MAX_TEMPLATES } from '../templates/base-template.entity.js';
import { DocumentProblems, problem } from './document-problems.js';
import type { UncheckedRows } from './document.js';
import { SECTIONS } from './dto/document.dto.js';

interface Limit {
  max: number;
  /** The fields of the record that the rows are counted for; none: the user. */
  per: readonly string[];
}

const LIMITS: Record<Section, Limit> = {
  payment_methods: { max: MAX_PAYMENT_METHODS, per: [] },
  budgets: { max: MAX_BUDGETS, per: [] },
  expense_templates: { max: MAX_TEMPLATES, per: [] },
  income_templates: { max: MAX_TEMPLATES, per: [] },
  cycles: { max: MAX_CYCLES, per: [] },
  expenses: { max: MAX_ENTRIES, per: ['cycle_id'] },
  incomes: { max: MAX_ENTRIES, per: ['cycle_id'] },
  balances: { max: MAX_BALANCES, per: [] },
  card_statements: { max: MAX_CARD_STATEMENTS, per: ['payment_method_id'] },
  comments: { max: MAX_COMMENTS, per: ['entity_type', 'entity_id'] },
};

/**
 * Counts the rows before they are validated.
 *
 * @throws ValidationFailedError with the place of the first row too many of each section
 */
export async function assertWithinLimits(rows: UncheckedRows): Promise<void> {
  const problems = new DocumentProblems();
  for (const section of SECTIONS) {
    const index = await firstTooMany(rows[section], LIMITS[section]);
    if (index === undefined) continue;
    const { max, per } = LIMITS[section];
    const same = per.length > 0 ? ` with the same ${per.join(' and ')}` : '';
    const message = `is one too many: there may be ${max} ${section}${same}`;
    problems.add(problem(`${section}.${index}`, 'too_many', message));
  }
  problems.assertNone();
}

/** The index of the first row too many. */
async function firstTooMany(
  rows: readonly unknown[],
  { max, per }: Limit,
): Promise<number | undefined> {
  if (rows.length <= max) return undefined;
  if (per.length === 0) return max;
  const counts = new Map<string, number>();
  for await (const [index, row] of withPauses(rows.entries())) {
    const values = per.map((field) => (row as Record<string, unknown> | null)?.[field]);
    // Other values are refused when the rows are validated.
    if (!values.every((value) => typeof value === 'string')) continue;
    const key = values.join(' ').toLowerCase();
    const count = (counts.get(key) ?? 0) + 1;
    if (count > max) return index;
    counts.set(key, count);
  }
  return undefined;
}
