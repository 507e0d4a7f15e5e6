import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
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

/** Undo of records of the activity log (see docs/api.md). */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly activity: ActivityService,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly templates: TemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
    private readonly ledger: LedgerUndo,
    private readonly cycles: CyclesService,
    private readonly expenses: ExpensesService,
    private readonly incomes: IncomesService,
  ) {}

  /**
   * Takes back the change in a record of an entity of the user, by the rules of the entity.
   *
   * @throws ResourceNotFoundError; DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT when a field has changed since,
   *   CYCLE_NAME_EXISTS, INVALID_CYCLE_DATES, CURRENCY_CONVERSION_ERROR; LimitReachedError; ValidationFailedError
   */
  undo(user: AuthenticatedUser, recordId: string): Promise<UndoResponse> {
    return this.database.transaction(user, async (scope) => {
      const undo = await this.activity.getUndo(scope, recordId); // 404
      await this.takeBack(scope, undo); // 404, 409, 422
      const [representation = null] = await this.listPresent(scope, undo);
      return {
        activity_id: undo.id,
        entity_type: undo.type,
        entity_id: undo.entityId,
        representation,
      };
    });
  }

  private takeBack(scope: Scope, undo: Undo): Promise<void> {
    switch (undo.type) {
      case 'payment_method':
        return this.paymentMethods.undo(scope, undo);
      case 'recurrent_expense':
        return this.templates.undo(scope, undo);
      case 'recurrent_income':
        return this.incomeTemplates.undo(scope, undo);
      case 'cycle':
        return this.ledger.undoCycle(scope, undo);
      case 'cycle_expense':
        return this.ledger.undoEntry(scope, CycleExpense, undo);
      case 'cycle_income':
        return this.ledger.undoEntry(scope, CycleIncome, undo);
    }
  }

  /** The representation of the entity; none if it is deleted. */
  private listPresent(scope: Scope, { type, entityId }: Undo): Promise<object[]> {
    switch (type) {
      case 'payment_method':
        return this.paymentMethods.listByIds(scope, [entityId]);
      case 'recurrent_expense':
        return this.templates.listByIds(scope, [entityId]);
      case 'recurrent_income':
        return this.incomeTemplates.listByIds(scope, [entityId]);
      case 'cycle':
        return this.cycles.listByIds(scope, [entityId]);
      case 'cycle_expense':
        return this.expenses.listByIds(scope, [entityId]);
      case 'cycle_income':
        return this.incomes.listByIds(scope, [entityId]);
    }
  }
}
