import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import type { StoredType } from '../activity/entity-tables.js';
import type { Undo } from '../activity/undo.js';
import { CyclesService } from '../cycles/cycles.service.js';
import { ExpensesService } from '../expenses/expenses.service.js';
import { IncomesService } from '../incomes/incomes.service.js';
import { CycleExpense } from '../ledger/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/cycle-income.entity.js';
import { LedgerUndo } from '../ledger/ledger-undo.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { Database, type Scope } from '../platform/database/database.js';
import { IncomeTemplatesService } from '../templates/income-templates.service.js';
import { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { UndoResponse } from './dto/undo.dto.js';

/** What the records of one type need for an undo. */
interface UndoneType {
  undo: (scope: Scope, undo: Undo) => Promise<void>;
  /** The representations of those that are not deleted. */
  list: (scope: Scope, ids: readonly string[]) => Promise<object[]>;
}

/** Undo of records of the activity log (see docs/api.md). */
@Injectable()
export class UndoService {
  private readonly types: Record<StoredType, UndoneType>;

  constructor(
    private readonly database: Database,
    private readonly activity: ActivityService,
    paymentMethods: PaymentMethodsService,
    templates: TemplatesService,
    incomeTemplates: IncomeTemplatesService,
    ledger: LedgerUndo,
    cycles: CyclesService,
    expenses: ExpensesService,
    incomes: IncomesService,
  ) {
    this.types = {
      payment_method: {
        undo: (scope, undo) => paymentMethods.undo(scope, undo),
        list: (scope, ids) => paymentMethods.listByIds(scope, ids),
      },
      recurrent_expense: {
        undo: (scope, undo) => templates.undo(scope, undo),
        list: (scope, ids) => templates.listByIds(scope, ids),
      },
      recurrent_income: {
        undo: (scope, undo) => incomeTemplates.undo(scope, undo),
        list: (scope, ids) => incomeTemplates.listByIds(scope, ids),
      },
      cycle: {
        undo: (scope, undo) => ledger.undoCycle(scope, undo),
        list: (scope, ids) => cycles.listByIds(scope, ids),
      },
      cycle_expense: {
        undo: (scope, undo) => ledger.undoEntry(scope, CycleExpense, undo),
        list: (scope, ids) => expenses.listByIds(scope, ids),
      },
      cycle_income: {
        undo: (scope, undo) => ledger.undoEntry(scope, CycleIncome, undo),
        list: (scope, ids) => incomes.listByIds(scope, ids),
      },
    };
  }

  /**
   * Takes back the change in a record of an entity of the user, by the rules of the entity.
   *
   * @throws ResourceNotFoundError; DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT when a field has changed since,
   *   CYCLE_NAME_EXISTS, INVALID_CYCLE_DATES, CURRENCY_CONVERSION_ERROR; LimitReachedError; ValidationFailedError
   */
  undo(user: AuthenticatedUser, recordId: string): Promise<UndoResponse> {
    return this.database.transaction(user, async (scope) => {
      const undo = await this.activity.getUndo(scope, recordId); // 404
      const { undo: takeBack, list } = this.types[undo.type];
      await takeBack(scope, undo); // 404, 409, 422
      const [representation = null] = await list(scope, [undo.entityId]);
      return {
        activity_id: undo.id,
        entity_type: undo.type,
        entity_id: undo.entityId,
        representation,
      };
    });
  }
}
