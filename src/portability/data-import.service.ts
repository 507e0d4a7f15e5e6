import { Inject, Injectable } from '@nestjs/common';
import type { EntityTarget } from 'typeorm';
import { ActivityService } from '../activity/activity.service.js';
import { creationOf, type ActivityEntry } from '../activity/mutation.js';
import { Balance } from '../balances/balance.entity.js';
import { Budget } from '../budgets/budget.entity.js';
import { CardStatement } from '../cards/card-statement.entity.js';
import { Comment } from '../comments/comment.entity.js';
import { entryOnParent } from '../comments/comments.service.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { Ledger } from '../ledger/ledger.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import type { Statement } from '../platform/database/query.js';
import { awaitUnanswered, MAX_ROWS, send } from '../platform/database/send.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { withPauses } from '../platform/process/pauses.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { UsersService } from '../users/users.service.js';
import { assertWithinLimits } from './document-limits.js';
import { relateRows } from './document-relations.js';
import { parseDocument } from './document.js';
import {
  SECTIONS,
  type DocumentRows,
  type ImportResponse,
  type RowCounts,
} from './dto/document.dto.js';
import { ImportedRecords } from './imported-records.js';
import { hasData } from './portability.queries.js';
import { validateRows } from './row-rules.js';

/** What the import of a valid document writes and returns. */
export interface PreparedImport {
  inserts: Statement[];
  counts: RowCounts;
}

/** Imports an exported document into an account without data, all of it or nothing. */
@Injectable()
export class DataImportService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly ledger: Ledger,
    private readonly activity: ActivityService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Checks what does not depend on stored data, and prepares the statements: the transaction holds
   * the only session of the embedded database, so that all other requests wait for it.
   *
   * @throws HttpException when the text is not JSON; ValidationFailedError with the places of the
   *   first problems
   */
  async prepare(user: AuthenticatedUser, text: Buffer): Promise<PreparedImport> {
    const document = parseDocument(text);
    await assertWithinLimits(document.rows);
    const { today } = user;
    const rows = await validateRows(document, { today, maxDays: this.settings.cycleMaxDays });
    const records = new ImportedRecords(user, await relateRows(rows));
    const counts = countsOf(rows);
    return { inserts: await this.insertsOf(user, rows, records), counts };
  }

  /**
   * Imports all rows or none, with new ids, and records their creation.
   *
   * @returns the number of rows of each section
   * @throws DomainError RESOURCE_CONFLICT when the user has data
   */
  import(user: AuthenticatedUser, { inserts, counts }: PreparedImport): Promise<ImportResponse> {
    return this.database.transaction(user, async (scope) => {
      await this.users.lockRecords(scope);
      if (await hasData(scope)) throw accountHasData();
      for (const insert of inserts) {
        send(scope.manager, insert);
        await awaitUnanswered(scope.manager);
      }
      if (inserts.length > 0) this.activity.announce(scope);
      this.ledger.refreshBalances(scope);
      return { imported: counts };
    });
  }

  /**
   * The inserts of the records and of their creation in the activity log, each section after those
   * that it refers to. Removes the rows, so that they do not take memory beside their inserts.
   */
  private async insertsOf(
    user: AuthenticatedUser,
    rows: DocumentRows,
    records: ImportedRecords,
  ): Promise<Statement[]> {
    const inserts: Statement[] = [];
    // The batches of a section have the same text, which is kept once.
    const texts = new Map<string, string>();
    const push = ({ text, values }: Statement): void => {
      if (!texts.has(text)) texts.set(text, text);
      inserts.push({ text: texts.get(text) ?? text, values });
    };
    const add = async <Row, Stored extends object>(
      entity: EntityTarget<Stored>,
      section: Row[],
      toRecord: (row: Row) => Stored,
      toEntry: (record: Stored) => ActivityEntry,
    ): Promise<void> => {
      for await (const batch of withPauses(batchesOf(section))) {
        const stored = batch.map(toRecord);
        push(this.database.prepareInsert(entity, stored));
        push(this.activity.prepare(user, stored.map(toEntry)));
      }
    };
    await add(PaymentMethod, rows.payment_methods, (row) => records.paymentMethod(row), creationOf);
    await add(Budget, rows.budgets, (row) => records.budget(row), creationOf);
    await add(
      ExpenseTemplate,
      rows.expense_templates,
      (row) => records.expenseTemplate(row),
      creationOf,
    );
    await add(
      IncomeTemplate,
      rows.income_templates,
      (row) => records.incomeTemplate(row),
      creationOf,
    );
    await add(Cycle, rows.cycles, (row) => records.cycle(row), creationOf);
    await add(CycleExpense, rows.expenses, (row) => records.expense(row), creationOf);
    await add(CycleIncome, rows.incomes, (row) => records.income(row), creationOf);
    await add(Balance, rows.balances, (row) => records.balance(row), creationOf);
    await add(CardStatement, rows.card_statements, (row) => records.cardStatement(row), creationOf);
    await add(
      Comment,
      rows.comments,
      (row) => records.comment(row),
      (comment) => entryOnParent(comment, 'commented'),
    );
    return inserts;
  }
}

function* batchesOf<Row>(rows: Row[]): Generator<Row[]> {
  while (rows.length > 0) yield rows.splice(0, MAX_ROWS);
}

const countsOf = (rows: DocumentRows): RowCounts =>
  Object.fromEntries(SECTIONS.map((section) => [section, rows[section].length])) as RowCounts;

export const accountHasData = (): DomainError =>
  new DomainError('RESOURCE_CONFLICT', 'Only an account without data can import', {
    resource: 'account',
  });
