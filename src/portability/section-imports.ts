import { plainToInstance } from 'class-transformer';
import type { EntityManager } from 'typeorm';
import type { CommentableType } from '../comments/comment.entity.js';
import type { CommentsService } from '../comments/comments.service.js';
import type { IncomeTemplatesService } from '../incomes/income-templates.service.js';
import type { Cycle } from '../ledger/cycle.entity.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { RecurrentTemplate } from '../templates/recurrent-template.entity.js';
import type { WithPaymentMethod } from '../templates/recurrent-templates.repository.js';
import type { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { ROW_CLASSES } from './dto/document.dto.js';
import type { ExpenseRowDto, IncomeRowDto } from './dto/rows.dto.js';
import type { ImportedRecords } from './imported-records.js';
import type { Section } from './sections.js';

/** A reference of a row to another one by its id in the document. */
export interface Reference {
  /** The field, with the dotted path of a nested one. */
  field: string;
  type: CommentableType;
  id: string | null | undefined;
}

/** How the rows of a section are imported. */
interface RowImport<Row> {
  /** What must be unique among the rows. */
  unique: string;
  references: (row: Row) => Reference[];
  /**
   * Adds the records of the rows.
   *
   * @param cycles the cycle that each referenced record is or belongs to, by the new id of the record
   */
  add: (rows: readonly Row[], cycles: ReadonlyMap<string, string | null>) => Promise<Added>;
}

interface Added {
  /** The new ids of the rows, in their order. */
  ids: string[];
  /** Those that were added, because they are unique. */
  added: ReadonlySet<string>;
}

/** Valid rows of a section. */
interface SectionRows {
  unique: string;
  /** Of each row. */
  references: Reference[][];
  add: (cycles: ReadonlyMap<string, string | null>) => Promise<Added>;
}

type ReadRows = (values: readonly unknown[]) => SectionRows;

const rowsOf =
  <Row extends object>(
    type: new () => Row,
    { unique, references, add }: RowImport<Row>,
  ): ReadRows =>
  (values) => {
    const rows = values.map((value) => plainToInstance(type, value));
    return { unique, references: rows.map(references), add: (cycles) => add(rows, cycles) };
  };

export interface ImportServices {
  paymentMethods: PaymentMethodsService;
  templates: TemplatesService;
  incomeTemplates: IncomeTemplatesService;
  ledger: Ledger;
  comments: CommentsService;
}

/** The imports of all sections in a transaction, each of which gets rows that are valid by themselves. */
export function sectionImports(
  services: ImportServices,
  manager: EntityManager,
  user: AuthenticatedUser,
  records: ImportedRecords,
): Record<Section, ReadRows> {
  const { paymentMethods, ledger } = services;

  const store = async <Stored extends { id: string }>(
    service: Adds<Stored>,
    stored: readonly Stored[],
  ): Promise<Added> => ({
    ids: stored.map(({ id }) => id),
    added: await service.addAll(manager, user, stored),
  });

  /** Loads the payment methods, which the activity records of templates name. */
  const withMethods = async <Template extends RecurrentTemplate>(
    templates: readonly Template[],
  ): Promise<WithPaymentMethod<Template>[]> => {
    const methods = await paymentMethods.listForUse(manager, user);
    const byId = new Map(methods.map((method) => [method.id, method]));
    return templates.map((template) => ({
      ...template,
      paymentMethod: byId.get(template.paymentMethodId ?? '') ?? null,
    }));
  };

  return {
    payment_methods: rowsOf(ROW_CLASSES.payment_methods, {
      unique: 'id or name',
      references: () => [],
      add: (rows) =>
        store(
          paymentMethods,
          rows.map((row) => records.paymentMethod(row)),
        ),
    }),
    expense_templates: rowsOf(ROW_CLASSES.expense_templates, {
      unique: 'id',
      references: (row) => [methodReference(row)],
      add: async (rows) =>
        store(services.templates, await withMethods(rows.map((row) => records.template(row)))),
    }),
    income_templates: rowsOf(ROW_CLASSES.income_templates, {
      unique: 'id',
      references: (row) => [methodReference(row)],
      add: async (rows) =>
        store(
          services.incomeTemplates,
          await withMethods(rows.map((row) => records.incomeTemplate(row))),
        ),
    }),
    cycles: rowsOf(ROW_CLASSES.cycles, {
      unique: 'id or name',
      references: () => [],
      add: (rows) =>
        store<Cycle>(
          { addAll: (...all) => ledger.addCycles(...all) },
          rows.map((row) => records.cycle(row)),
        ),
    }),
    expenses: rowsOf(ROW_CLASSES.expenses, {
      unique: UNIQUE_ENTRY,
      references: (row) => entryReferences(row, 'recurrent_expense'),
      add: (rows) =>
        store(
          ledger.expenses,
          rows.map((row) => records.expense(row)),
        ),
    }),
    incomes: rowsOf(ROW_CLASSES.incomes, {
      unique: UNIQUE_ENTRY,
      references: (row) => entryReferences(row, 'recurrent_income'),
      add: (rows) =>
        store(
          ledger.incomes,
          rows.map((row) => records.income(row)),
        ),
    }),
    comments: rowsOf(ROW_CLASSES.comments, {
      unique: 'id',
      references: ({ entity_type: type, entity_id: id }) => [{ field: 'entity_id', type, id }],
      add: (rows, cycles) =>
        store(
          services.comments,
          rows.map((row) => records.comment(row, cycles)),
        ),
    }),
  };
}

interface Adds<Stored> {
  addAll: (
    manager: EntityManager,
    user: AuthenticatedUser,
    stored: readonly Stored[],
  ) => Promise<ReadonlySet<string>>;
}

const UNIQUE_ENTRY = 'id, or template_id and occurrence_date,';

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
