/** The records of imported rows, with new ids and timestamps. */
import { Budget, type BudgetLimit } from '../budgets/budget.entity.js';
import { Comment } from '../comments/comment.entity.js';
import type { BudgetLimitDto } from '../cycles/dto/budget-limit.dto.js';
import { newExpenseFields } from '../expenses/dto/expense.dto.js';
import { newIncomeFields } from '../incomes/dto/income.dto.js';
import type { CycleEntry, EntryFields } from '../ledger/entities/cycle-entry.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { formatMoney } from '../platform/values/money.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { EntityType } from '../records/record-types.js';
import type { HouseholdRecord } from '../records/stored-record.js';
import { storedConfig, type BaseTemplate } from '../templates/base-template.entity.js';
import { newBaseFields } from '../templates/dto/base-template.dto.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type {
  BudgetRowDto,
  CommentRowDto,
  CycleRowDto,
  ExpenseRowDto,
  ExpenseTemplateRowDto,
  GeneratedExpenseDto,
  GeneratedIncomeDto,
  IncomeRowDto,
  IncomeTemplateRowDto,
  PaymentMethodRowDto,
} from './dto/rows.dto.js';
import type { NewIds } from './new-ids.js';

/** The names of what a record has besides its columns. */
type NotColumn<Row> =
  | 'seq'
  | 'paymentMethod'
  | 'budget'
  | 'type'
  | 'date'
  | {
      [Name in keyof Row]: Row[Name] extends (...values: never[]) => unknown ? Name : never;
    }[keyof Row];

/**
 * The columns of a record without its position, which the database sets; undefined is stored as
 * null.
 */
type Columns<Row extends HouseholdRecord> = {
  [Name in Exclude<keyof Row, NotColumn<Row>>]:
    Row[Name] | (null extends Row[Name] ? undefined : never);
};

function record<Row extends HouseholdRecord>(entity: new () => Row, columns: Columns<Row>): Row {
  const values = Object.entries(columns).map(([name, value]) => [name, value ?? null] as const);
  return Object.assign(new entity(), Object.fromEntries(values));
}

type StoredColumns = Pick<HouseholdRecord, 'id' | 'householdId' | 'createdAt' | 'updatedAt'>;

type TemplateColumns = Omit<Columns<BaseTemplate>, 'paymentMethodId'>;

type EntryColumns = Omit<
  Columns<CycleEntry>,
  keyof EntryFields | 'templateId' | 'paymentMethodId' | 'generated'
>;

/** Makes the records of one import, those of each section after those that it refers to. */
export class ImportedRecords {
  private readonly now = new Date();
  /** The budgets in their order. */
  private readonly budgetIds: string[] = [];
  /** The cycle that each cycle or entry is or belongs to. */
  private readonly cycleIds = new Map<string, string>();

  constructor(
    private readonly user: AuthenticatedUser,
    private readonly ids: NewIds,
  ) {}

  paymentMethod(row: PaymentMethodRowDto): PaymentMethod {
    return record(PaymentMethod, {
      ...this.stored('payment_method', row),
      userId: this.user.id,
      name: row.name,
      methodType: row.method_type,
      defaultCurrency: row.default_currency,
      description: row.description,
      active: row.active,
    });
  }

  budget(row: BudgetRowDto): Budget {
    const stored = this.stored('budget', row);
    this.budgetIds.push(stored.id);
    return record(Budget, {
      ...stored,
      userId: this.user.id,
      name: row.name,
      limit: row.limit,
      active: row.active,
    });
  }

  expenseTemplate(row: ExpenseTemplateRowDto): ExpenseTemplate {
    return record(ExpenseTemplate, {
      ...this.templateColumns('recurrent_expense', row),
      paymentMethodId: this.ids.of('payment_method', row.payment_method_id),
      category: row.category,
      autopayInfo: row.autopay_info,
      budgetId: this.idOf('budget', row.budget_id),
    });
  }

  incomeTemplate(row: IncomeTemplateRowDto): IncomeTemplate {
    return record(IncomeTemplate, {
      ...this.templateColumns('recurrent_income', row),
      paymentMethodId: this.idOf('payment_method', row.payment_method_id),
    });
  }

  /** Without the balance of entries, which are imported later. */
  cycle(row: CycleRowDto): Cycle {
    const stored = this.stored('cycle', row);
    this.cycleIds.set(stored.id, stored.id);
    return record(Cycle, {
      ...stored,
      userId: this.user.id,
      name: row.name,
      startDate: row.start_date,
      endDate: row.end_date,
      incomeAmount: row.income_amount,
      remainingBalance: row.income_amount,
      status: row.status,
      budgetLimits: this.budgetLimits(row.budget_limits ?? []),
      active: true,
    });
  }

  expense(row: ExpenseRowDto): CycleExpense {
    return record(CycleExpense, {
      ...this.entryColumns('cycle_expense', row),
      ...newExpenseFields(row),
      templateId: this.idOf('recurrent_expense', row.template_id),
      paymentMethodId: this.ids.of('payment_method', row.payment_method_id),
      budgetId: this.idOf('budget', row.budget_id),
      status: row.status,
      paid: row.status === 'paid',
      paidAt: row.paid_at,
      generated: row.generated
        ? withoutUndefined({
            ...this.generatedValues(row.generated),
            payment_method_id:
              this.idOf('payment_method', row.generated.payment_method_id) ?? undefined,
            due_date: row.generated.due_date,
            category: row.generated.category,
            autopay_info: row.generated.autopay_info ?? null,
          })
        : null,
    });
  }

  income(row: IncomeRowDto): CycleIncome {
    return record(CycleIncome, {
      ...this.entryColumns('cycle_income', row),
      ...newIncomeFields(row),
      templateId: this.idOf('recurrent_income', row.template_id),
      paymentMethodId: this.idOf('payment_method', row.payment_method_id),
      received: Boolean(row.received_at),
      receivedAt: row.received_at,
      generated: row.generated
        ? withoutUndefined({
            ...this.generatedValues(row.generated),
            payment_method_id: this.idOf('payment_method', row.generated.payment_method_id),
            income_date: row.generated.income_date,
          })
        : null,
    });
  }

  comment(row: CommentRowDto): Comment {
    const entityId = this.ids.of(row.entity_type, row.entity_id);
    return record(Comment, {
      ...this.stored('comment', row),
      entityType: row.entity_type,
      entityId,
      cycleId: this.cycleIds.get(entityId) ?? null,
      authorUserId: this.user.id,
      body: row.body,
      editedAt: null,
      active: true,
    });
  }

  private budgetLimits(limits: readonly BudgetLimitDto[]): BudgetLimit[] {
    const limitOf = new Map(
      limits.map(({ budget_id: id, limit }) => [this.ids.of('budget', id), formatMoney(limit)]),
    );
    return this.budgetIds.flatMap((budget_id) => {
      const limit = limitOf.get(budget_id);
      return limit === undefined ? [] : [{ budget_id, limit }];
    });
  }

  private stored(type: EntityType, { id }: { id: string }): StoredColumns {
    return {
      id: this.ids.of(type, id),
      householdId: this.user.householdId,
      createdAt: this.now,
      updatedAt: this.now,
    };
  }

  private idOf(type: EntityType, id: string | null | undefined): string | null {
    return typeof id === 'string' ? this.ids.of(type, id) : null;
  }

  private templateColumns(
    type: EntityType,
    row: ExpenseTemplateRowDto | IncomeTemplateRowDto,
  ): TemplateColumns {
    return {
      ...this.stored(type, row),
      userId: this.user.id,
      ...newBaseFields(row),
      recurrenceConfig: storedConfig(row.recurrence_config),
      active: row.active,
    };
  }

  private entryColumns(type: EntityType, row: ExpenseRowDto | IncomeRowDto): EntryColumns {
    const stored = this.stored(type, row);
    const cycleId = this.ids.of('cycle', row.cycle_id);
    this.cycleIds.set(stored.id, cycleId);
    return {
      ...stored,
      cycleId,
      amountUsd: row.amount_usd,
      exchangeRate: row.exchange_rate?.rate,
      exchangeRateDate: row.exchange_rate?.rate_date,
      occurrenceDate: row.occurrence_date,
      generatedOperationId: null,
      planUnknown: row.generated ? true : null, // An import does not make a plan.
      active: true,
    };
  }

  /**
   * The common values, in the form of `CycleEntry.generated`; undefined: the entry counts as
   * edited.
   */
  private generatedValues(
    values: GeneratedExpenseDto | GeneratedIncomeDto,
  ): Record<'description' | 'currency' | 'amount', string | undefined> {
    return {
      description: values.description,
      currency: values.currency,
      amount: values.amount && formatMoney(values.amount),
    };
  }
}
