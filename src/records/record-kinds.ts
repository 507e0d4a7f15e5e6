/** The classes of each kind of records; what else is declared of them is in `record-types.ts`. */
import type { Type } from '@nestjs/common';
import type { Recorded } from '../activity/mutation.js';
import type { Undo } from '../activity/undo.js';
import { Balance } from '../balances/balance.entity.js';
import { BalancesService } from '../balances/balances.service.js';
import { BalanceResponse } from '../balances/dto/balance.dto.js';
import { Budget } from '../budgets/budget.entity.js';
import { BudgetsService } from '../budgets/budgets.service.js';
import { BudgetResponse } from '../budgets/dto/budget.dto.js';
import { CardStatement } from '../cards/card-statement.entity.js';
import { CardStatementsService } from '../cards/card-statements.service.js';
import { CardStatementResponse } from '../cards/dto/card-statement.dto.js';
import { CommentsService } from '../comments/comments.service.js';
import { CommentResponse } from '../comments/dto/comment.dto.js';
import { CyclesService } from '../cycles/cycles.service.js';
import { CycleResponse } from '../cycles/dto/cycle.dto.js';
import { ExpenseResponse } from '../expenses/dto/expense.dto.js';
import { ExpensesService } from '../expenses/expenses.service.js';
import { IncomeResponse } from '../incomes/dto/income.dto.js';
import { IncomesService } from '../incomes/incomes.service.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { PaymentMethodResponse } from '../payment-methods/dto/payment-method.dto.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { Scope } from '../platform/database/database.js';
import { ExpenseTemplateResponse } from '../templates/dto/expense-template.dto.js';
import { IncomeTemplateResponse } from '../templates/dto/income-template.dto.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { ExpenseTemplatesService } from '../templates/expense-templates.service.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import { IncomeTemplatesService } from '../templates/income-templates.service.js';
import type { EntityType, StoredType } from './record-types.js';
import type { HouseholdRecord } from './stored-record.js';

interface Representation {
  /** null: nothing is stored of what it shows. */
  id: string | null;
}

/** What `changes` needs of a service: the user's present records with these ids, in any order. */
interface ListsByIds {
  listByIds(scope: Scope, ids: readonly string[]): Promise<Representation[]>;
}

/** What `undo` needs in addition: to take back a record of the activity log. */
interface Undoes {
  undo(scope: Scope, undo: Undo): Promise<void>;
}

interface RecordKind {
  /** The response of its endpoints. */
  readonly representation: Type<Representation>;
  readonly service: Type<ListsByIds>;
}

/** A kind whose changes are recorded and can be undone: all but comments. */
interface StoredKind<Name extends StoredType> extends RecordKind {
  readonly entity: Type<HouseholdRecord & Recorded & { type: Name }>;
  readonly service: Type<ListsByIds & Undoes>;
}

/** The kinds of records whose changes are recorded and can be undone. */
export const STORED_KINDS: { readonly [Name in StoredType]: StoredKind<Name> } = {
  payment_method: {
    entity: PaymentMethod,
    representation: PaymentMethodResponse,
    service: PaymentMethodsService,
  },
  recurrent_expense: {
    entity: ExpenseTemplate,
    representation: ExpenseTemplateResponse,
    service: ExpenseTemplatesService,
  },
  recurrent_income: {
    entity: IncomeTemplate,
    representation: IncomeTemplateResponse,
    service: IncomeTemplatesService,
  },
  cycle: { entity: Cycle, representation: CycleResponse, service: CyclesService },
  cycle_expense: {
    entity: CycleExpense,
    representation: ExpenseResponse,
    service: ExpensesService,
  },
  cycle_income: { entity: CycleIncome, representation: IncomeResponse, service: IncomesService },
  budget: { entity: Budget, representation: BudgetResponse, service: BudgetsService },
  balance: { entity: Balance, representation: BalanceResponse, service: BalancesService },
  card_statement: {
    entity: CardStatement,
    representation: CardStatementResponse,
    service: CardStatementsService,
  },
};

/** Every kind of records. */
export const RECORD_KINDS: Readonly<Record<EntityType, RecordKind>> = {
  ...STORED_KINDS,
  comment: { representation: CommentResponse, service: CommentsService },
};

/** What the endpoints of each kind return, by the name of the kind. */
export const representationsOf = (
  kinds: Readonly<Record<string, RecordKind>>,
): Record<string, Type> =>
  Object.fromEntries(
    Object.entries(kinds).map(([type, { representation }]) => [type, representation]),
  );
