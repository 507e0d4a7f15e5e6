import type { Scope } from '../platform/database/database.js';
import type { CommentableType } from '../comments/comment.entity.js';
import type { CommentsService } from '../comments/comments.service.js';
import type { IncomeTemplatesService } from '../templates/income-templates.service.js';
import { CycleExpense } from '../ledger/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/cycle-income.entity.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { TemplatesService } from '../templates/templates.service.js';
import type { ROW_CLASSES, Section } from './dto/document.dto.js';
import type { ExpenseRowDto, IncomeRowDto } from './dto/rows.dto.js';
import type { ImportedRecords } from './imported-records.js';

/** A reference of a row to another one by its id in the document. */
export interface Reference {
  /** The field, with the dotted path of a nested one. */
  field: string;
  type: CommentableType;
  id: string | null | undefined;
}

export interface ImportServices {
  paymentMethods: PaymentMethodsService;
  templates: TemplatesService;
  incomeTemplates: IncomeTemplatesService;
  ledger: Ledger;
  comments: CommentsService;
}

/** An import in a transaction. */
export interface ImportContext {
  services: ImportServices;
  scope: Scope;
  records: ImportedRecords;
}

interface Added {
  /** The records of the rows, in their order. */
  stored: readonly { id: string }[];
  /** The ids of those that were added, because they are unique. */
  added: ReadonlySet<string>;
}

/** The row of a section. */
type RowOf<S extends Section> = InstanceType<(typeof ROW_CLASSES)[S]>;

/** The cycle that each referenced record is or belongs to, by the new id of the record. */
export type CyclesOfRecords = ReadonlyMap<string, string | null>;

/** How the rows of a section are imported, which are valid by themselves. */
export interface SectionImport<Row> {
  /** What must be unique among the rows. */
  unique: string;
  references: (row: Row) => Reference[];
  /** Adds the records of the rows. */
  add: (context: ImportContext, rows: readonly Row[], cycles: CyclesOfRecords) => Promise<Added>;
}

const UNIQUE_ENTRY = 'id, or template_id and occurrence_date,';

export const SECTION_IMPORTS: { [S in Section]: SectionImport<RowOf<S>> } = {
  payment_methods: { unique: 'id or name', references: () => [], add: addPaymentMethods },
  expense_templates: {
    unique: 'id',
    references: (row) => [methodReference(row)],
    add: addTemplates,
  },
  income_templates: {
    unique: 'id',
    references: (row) => [methodReference(row)],
    add: addIncomeTemplates,
  },
  cycles: { unique: 'id or name', references: () => [], add: addCycles },
  expenses: {
    unique: UNIQUE_ENTRY,
    references: (row) => entryReferences(row, 'recurrent_expense'),
    add: addExpenses,
  },
  incomes: {
    unique: UNIQUE_ENTRY,
    references: (row) => entryReferences(row, 'recurrent_income'),
    add: addIncomes,
  },
  comments: {
    unique: 'id',
    references: ({ entity_type: type, entity_id: id }) => [{ field: 'entity_id', type, id }],
    add: addComments,
  },
};

async function addPaymentMethods(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'payment_methods'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.paymentMethod(row));
  return { stored, added: await services.paymentMethods.addAll(scope, stored) };
}

async function addTemplates(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'expense_templates'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.template(row));
  return { stored, added: await services.templates.addAll(scope, stored) };
}

async function addIncomeTemplates(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'income_templates'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.incomeTemplate(row));
  return { stored, added: await services.incomeTemplates.addAll(scope, stored) };
}

async function addCycles(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'cycles'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.cycle(row));
  return { stored, added: await services.ledger.importCycles(scope, stored) };
}

async function addExpenses(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'expenses'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.expense(row));
  return { stored, added: await services.ledger.importEntries(scope, CycleExpense, stored) };
}

async function addIncomes(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'incomes'>[],
): Promise<Added> {
  const stored = rows.map((row) => records.income(row));
  return { stored, added: await services.ledger.importEntries(scope, CycleIncome, stored) };
}

async function addComments(
  { services, scope, records }: ImportContext,
  rows: readonly RowOf<'comments'>[],
  cycles: CyclesOfRecords,
): Promise<Added> {
  const stored = rows.map((row) => records.comment(row, cycles));
  return { stored, added: await services.comments.addAll(scope, stored) };
}

const methodReference = ({
  payment_method_id: id,
}: {
  payment_method_id?: string | null;
}): Reference => ({ field: 'payment_method_id', type: 'payment_method', id });

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
