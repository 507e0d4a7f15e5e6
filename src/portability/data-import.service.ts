import { Inject, Injectable } from '@nestjs/common';
import { CommentsService } from '../comments/comments.service.js';
import { CycleExpense } from '../ledger/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/cycle-income.entity.js';
import { LedgerImport } from '../ledger/ledger-import.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database, type Scope } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { withPauses } from '../platform/process/pauses.js';
import { IncomeTemplatesService } from '../templates/income-templates.service.js';
import { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { UsersService } from '../users/users.service.js';
import { assertWithinLimits } from './document-limits.js';
import { relateRows } from './document-relations.js';
import { parseDocument } from './document.js';
import { SECTIONS, type DocumentRows, type RowCounts } from './dto/document.dto.js';
import { ImportedRecords } from './imported-records.js';
import type { NewIds } from './new-ids.js';
import { hasData } from './portability.queries.js';
import { validateRows } from './row-rules.js';

/** Records that are inserted with one statement. The next one is sent without waiting for its result. */
const BATCH_ROWS = 100;

/** The rows of a valid document, and the new ids of its records. */
export interface CheckedDocument {
  rows: DocumentRows;
  ids: NewIds;
}

/** Imports an exported document into an account without data (see docs/api.md). */
@Injectable()
export class DataImportService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly templates: TemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
    private readonly ledger: LedgerImport,
    private readonly comments: CommentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Checks what does not depend on stored data.
   *
   * @throws HttpException when the text is not JSON; ValidationFailedError with the places of the first problems
   */
  async check(text: Buffer): Promise<CheckedDocument> {
    const unchecked = parseDocument(text);
    await assertWithinLimits(unchecked);
    const rows = await validateRows(unchecked, this.settings.cycleMaxDays);
    return { rows, ids: await relateRows(rows) };
  }

  /**
   * Imports all rows or none, with new ids, and records their creation.
   *
   * @returns the number of rows of each section
   * @throws DomainError RESOURCE_CONFLICT when the user has data
   */
  import(user: AuthenticatedUser, { rows, ids }: CheckedDocument): Promise<RowCounts> {
    return this.database.transaction(user, async (scope) => {
      await this.users.lockRecords(scope);
      if (await hasData(scope)) throw accountHasData();
      await this.insert(scope, rows, new ImportedRecords(user, ids));
      return countsOf(rows);
    });
  }

  /** Each section after those that it refers to. */
  private async insert(scope: Scope, rows: DocumentRows, records: ImportedRecords): Promise<void> {
    await inBatches(
      rows.payment_methods,
      (row) => records.paymentMethod(row),
      (methods) => this.paymentMethods.addAll(scope, methods),
    );
    await inBatches(
      rows.expense_templates,
      (row) => records.template(row),
      (templates) => this.templates.addAll(scope, templates),
    );
    await inBatches(
      rows.income_templates,
      (row) => records.incomeTemplate(row),
      (templates) => this.incomeTemplates.addAll(scope, templates),
    );
    await inBatches(
      rows.cycles,
      (row) => records.cycle(row),
      (cycles) => this.ledger.addCycles(scope, cycles),
    );
    await inBatches(
      rows.expenses,
      (row) => records.expense(row),
      (expenses) => this.ledger.addEntries(scope, CycleExpense, expenses),
    );
    await inBatches(
      rows.incomes,
      (row) => records.income(row),
      (incomes) => this.ledger.addEntries(scope, CycleIncome, incomes),
    );
    await this.ledger.refreshBalances(scope);
    await inBatches(
      rows.comments,
      (row) => records.comment(row),
      (comments) => this.comments.addAll(scope, comments),
    );
  }
}

async function inBatches<Row, Stored>(
  rows: readonly Row[],
  toRecord: (row: Row) => Stored,
  addAll: (records: Stored[]) => Promise<void>,
): Promise<void> {
  for await (const batch of withPauses(batchesOf(rows))) await addAll(batch.map(toRecord));
}

function* batchesOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}

const countsOf = (rows: DocumentRows): RowCounts =>
  Object.fromEntries(SECTIONS.map((section) => [section, rows[section].length])) as RowCounts;

export const accountHasData = (): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'Only an account without data can import', {
    resource: 'account',
  });
