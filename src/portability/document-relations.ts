import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { withPauses } from '../platform/process/pauses.js';
import type { EntityType } from '../records/record-types.js';
import { RECORD_TYPES, type Section, type StoredType } from '../records/record-types.js';
import { DocumentProblems, problem } from './document-problems.js';
import { SECTIONS, type DocumentRows, type RowOf } from './dto/document.dto.js';
import type { ExpenseRowDto, IncomeRowDto, PaymentMethodRowDto } from './dto/rows.dto.js';
import { NewIds } from './new-ids.js';

/** A reference of a row to another one by its id in the document. */
interface Reference {
  /** The field, with the dotted path of a nested one. */
  field: string;
  type: StoredType;
  id: string | null | undefined;
}

/** What the rows of a section have to do with other rows. */
interface Relations<Row> {
  type: EntityType;
  /** What must be unique among the rows of the section, for the message of an error. */
  unique: string;
  /** What must be unique beside the id; undefined where the row may be repeated. */
  uniqueKey?: (row: Row) => string | undefined;
  references: (row: Row) => Reference[];
}

const CANNOT_PAY = 'must be the id of another one of payment_methods without closing_day';

const UNIQUE_ENTRY = 'id, or template_id and occurrence_date,';

const RELATIONS: { [S in Section]: Relations<RowOf<S>> } = {
  payment_methods: {
    type: 'payment_method',
    unique: 'id or name',
    uniqueKey: ({ name }) => name,
    references: () => [],
  },
  budgets: {
    type: 'budget',
    unique: 'id or name',
    uniqueKey: ({ name }) => name,
    references: () => [],
  },
  expense_templates: {
    type: 'recurrent_expense',
    unique: 'id',
    references: (row) => [methodReference(row), budgetReference(row)],
  },
  income_templates: {
    type: 'recurrent_income',
    unique: 'id',
    references: (row) => [methodReference(row), budgetReference(row)],
  },
  cycles: {
    type: 'cycle',
    unique: 'id or name',
    uniqueKey: ({ name }) => name,
    references: ({ budget_limits: limits }) =>
      (limits ?? []).map(({ budget_id: id }, index) => ({
        field: `budget_limits.${index}.budget_id`,
        type: 'budget',
        id,
      })),
  },
  expenses: {
    type: 'cycle_expense',
    unique: UNIQUE_ENTRY,
    uniqueKey: occurrenceOf,
    references: (row) => [...entryReferences(row, 'recurrent_expense'), budgetReference(row)],
  },
  incomes: {
    type: 'cycle_income',
    unique: UNIQUE_ENTRY,
    uniqueKey: occurrenceOf,
    references: (row) => [...entryReferences(row, 'recurrent_income'), budgetReference(row)],
  },
  balances: {
    type: 'balance',
    unique: 'id',
    references: (row) => [methodReference(row)],
  },
  card_statements: {
    type: 'card_statement',
    unique: 'id, or payment_method_id and closing_date,',
    uniqueKey: ({ payment_method_id: method, closing_date: date }) => `${method} ${date}`,
    references: (row) => [methodReference(row)],
  },
  comments: {
    type: 'comment',
    unique: 'id',
    references: ({ entity_type: type, entity_id: id }) => [{ field: 'entity_id', type, id }],
  },
};

/**
 * Gives the rows new ids, and finds those that repeat another row, or refer to none. The sections
 * refer only to those before them, but payment methods to others.
 *
 * @throws ValidationFailedError with the places of the first problems
 */
export async function relateRows(rows: DocumentRows): Promise<NewIds> {
  const ids = new NewIds();
  const problems = new DocumentProblems();
  for (const errors of paidFromErrors(rows.payment_methods)) problems.add(errors);
  for (const section of SECTIONS) {
    // The section has both the relations and the rows.
    const { type, unique, uniqueKey, references } = RELATIONS[section] as Relations<{ id: string }>;
    const sectionRows: readonly { id: string }[] = rows[section];
    const keys = new Set<string>();
    for await (const [index, row] of withPauses(sectionRows.entries())) {
      const path = `${section}.${index}`;
      const key = uniqueKey?.(row);
      if (!ids.add(type, row.id) || (key !== undefined && keys.has(key))) {
        problems.add(problem(path, 'repeated', `repeats the ${unique} of another row`));
      }
      if (key !== undefined) keys.add(key);
      for (const { field, type: referenced, id } of references(row)) {
        if (typeof id !== 'string' || ids.has(referenced, id)) continue;
        const message = `must be the id of one of ${RECORD_TYPES[referenced].section}`;
        problems.add(problem(`${path}.${field}`, 'not_found', message));
      }
    }
  }
  problems.assertNone();
  return ids;
}

/** The payment methods that name one which cannot pay them; it may be inactive, or a later one. */
function paidFromErrors(methods: readonly PaymentMethodRowDto[]): FieldErrors[] {
  const byId = new Map(methods.map((method) => [method.id, method]));
  return methods.map(({ id, paid_from_id: paidFromId }, index) => {
    if (typeof paidFromId !== 'string') return {};
    const path = `payment_methods.${index}.paid_from_id`;
    const paidFrom = byId.get(paidFromId);
    if (!paidFrom) {
      return problem(path, 'not_found', 'must be the id of one of payment_methods');
    }
    const canPay = paidFromId !== id && typeof paidFrom.closing_day !== 'number';
    return canPay ? {} : problem(path, 'not_an_option', CANNOT_PAY);
  });
}

const methodReference = ({
  payment_method_id: id,
}: {
  payment_method_id?: string | null;
}): Reference => ({ field: 'payment_method_id', type: 'payment_method', id });

const budgetReference = ({ budget_id: id }: { budget_id?: string | null }): Reference => ({
  field: 'budget_id',
  type: 'budget',
  id,
});

function entryReferences(
  row: ExpenseRowDto | IncomeRowDto,
  template: 'recurrent_expense' | 'recurrent_income',
): Reference[] {
  return [
    { field: 'cycle_id', type: 'cycle', id: row.cycle_id },
    { field: 'template_id', type: template, id: row.template_id },
    methodReference(row),
    { ...methodReference(row.generated ?? {}), field: 'generated.payment_method_id' },
  ];
}

function occurrenceOf(entry: ExpenseRowDto | IncomeRowDto): string | undefined {
  const { cycle_id: cycle, template_id: template, occurrence_date: date } = entry;
  return template && date ? `${cycle} ${template} ${date}` : undefined;
}
