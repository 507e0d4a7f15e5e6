/** The records of imported rows, with new ids and timestamps. */
import { Balance } from '../balances/balance.entity.js';
import { notAfter } from '../balances/stated-at.js';
import { Budget, type BudgetLimit } from '../budgets/budget.entity.js';
import { CardStatement } from '../cards/card-statement.entity.js';
import { Comment } from '../comments/comment.entity.js';
import type { BudgetLimitDto } from '../cycles/dto/budget-limit.dto.js';
import type { CycleEntry, EntryFields } from '../ledger/entities/cycle-entry.entity.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { CycleIncome } from '../ledger/entities/cycle-income.entity.js';
import { Cycle } from '../ledger/entities/cycle.entity.js';
import { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { formatMoney } from '../platform/values/money.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import { fieldsIn } from '../records/record-fields.js';
import type { EntityType } from '../records/record-types.js';
import type { HouseholdRecord } from '../records/stored-record.js';
import {
  storedChanges,
  storedConfig,
  type BaseTemplate,
  type TemplateFields,
} from '../templates/base-template.entity.js';
import { ExpenseTemplate } from '../templates/expense-template.entity.js';
import { IncomeTemplate } from '../templates/income-template.entity.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { CardStatementRowDto } from './dto/card-statement-row.dto.js';
import type {
  BalanceRowDto,
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

/** The names of what a record has beside its columns. */
type NotColumn<Row> =
  | 'seq'
  | 'paymentMethod'
  | 'budget'
  | 'type'
  | 'fields'
  | 'date'
  | 'generatedFields'
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

/**
 * @param fields what a body could set
 * @param columns all other columns
 */
function record<Row extends HouseholdRecord, Fields extends object>(
  entity: new () => Row,
  fields: Fields,
  columns: Omit<Columns<Row>, keyof Fields>,
): Row {
  const values = Object.entries({ ...fields, ...columns });
  return Object.assign(
    new entity(),
    Object.fromEntries(values.map(([name, value]) => [name, value ?? null])),
  );
}

/** What a body sets in a record that is not created by such a body. */
const NO_FIELDS = {};

type StoredColumns = Pick<HouseholdRecord, 'id' | 'householdId' | 'createdAt' | 'updatedAt'>;

type TemplateColumns = Omit<
  Columns<BaseTemplate>,
  keyof TemplateFields | 'paymentMethodId' | 'budgetId'
> &
  Pick<BaseTemplate, 'recurrenceConfig' | 'weekendRule' | 'amountChanges' | 'skippedDates'>;

type EntryColumns = Omit<
  Columns<CycleEntry>,
  keyof EntryFields | 'templateId' | 'paymentMethodId' | 'budgetId' | 'generated'
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
    const { id: userId, today } = this.user;
    const method = PaymentMethod.createAgain(fieldsIn(PaymentMethod.fields, row), today);
    const paidFromId = this.idOf('payment_method', row.paid_from_id);
    return Object.assign(method, { ...this.stored('payment_method', row), userId, paidFromId });
  }

  budget(row: BudgetRowDto): Budget {
    const stored = this.stored('budget', row);
    this.budgetIds.push(stored.id);
    const { currency = 'USD' } = row;
    const fields = { ...fieldsIn(Budget.fields, row), currency };
    return record(Budget, fields, { ...stored, userId: this.user.id });
  }

  expenseTemplate(row: ExpenseTemplateRowDto): ExpenseTemplate {
    return record(ExpenseTemplate, fieldsIn(ExpenseTemplate.fields, row), {
      ...this.templateColumns('recurrent_expense', row),
      paymentMethodId: this.ids.of('payment_method', row.payment_method_id),
      budgetId: this.idOf('budget', row.budget_id),
    });
  }

  incomeTemplate(row: IncomeTemplateRowDto): IncomeTemplate {
    return record(IncomeTemplate, fieldsIn(IncomeTemplate.fields, row), {
      ...this.templateColumns('recurrent_income', row),
      paymentMethodId: this.idOf('payment_method', row.payment_method_id),
      budgetId: this.idOf('budget', row.budget_id),
    });
  }

  /** A cycle without the balance of its entries, which are imported later. */
  cycle(row: CycleRowDto): Cycle {
    const stored = this.stored('cycle', row);
    this.cycleIds.set(stored.id, stored.id);
    const fields = { ...fieldsIn(Cycle.fields, row), side: row.side ?? false };
    return record(Cycle, fields, {
      ...stored,
      userId: this.user.id,
      remainingBalance: row.income_amount,
      budgetLimits: this.budgetLimits(row.budget_limits ?? []),
      active: true,
    });
  }

  expense(row: ExpenseRowDto): CycleExpense {
    return record(CycleExpense, fieldsIn(CycleExpense.fields, row), {
      ...this.entryColumns('cycle_expense', row),
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
    return record(CycleIncome, fieldsIn(CycleIncome.fields, row), {
      ...this.entryColumns('cycle_income', row),
      templateId: this.idOf('recurrent_income', row.template_id),
      paymentMethodId: this.idOf('payment_method', row.payment_method_id),
      budgetId: this.idOf('budget', row.budget_id),
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

  balance(row: BalanceRowDto): Balance {
    return record(Balance, NO_FIELDS, {
      ...this.stored('balance', row),
      userId: this.user.id,
      paymentMethodId: this.ids.of('payment_method', row.payment_method_id),
      currency: row.currency,
      amount: row.amount,
      statedAt: notAfter(this.now, row.stated_at),
      expected: row.expected,
      active: true,
    });
  }

  cardStatement(row: CardStatementRowDto): CardStatement {
    return record(CardStatement, NO_FIELDS, {
      ...this.stored('card_statement', row),
      userId: this.user.id,
      paymentMethodId: this.ids.of('payment_method', row.payment_method_id),
      firstDate: row.from,
      closingDate: row.closing_date,
      dueDate: row.due_date,
      statedAmount: row.stated_amount,
      amount: row.amount,
      paid: row.paid,
      paidAt: row.paid_at,
      paidAmount: row.paid_amount,
      active: true,
    });
  }

  comment(row: CommentRowDto): Comment {
    const entityId = this.ids.of(row.entity_type, row.entity_id);
    return record(Comment, fieldsIn(Comment.fields, row), {
      ...this.stored('comment', row),
      entityType: row.entity_type,
      entityId,
      cycleId: this.cycleIds.get(entityId) ?? null,
      authorUserId: this.user.id,
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
      recurrenceConfig: storedConfig(row.recurrence_config),
      weekendRule: row.weekend_rule ?? 'keep',
      amountChanges: storedChanges(row.amount_changes ?? []),
      skippedDates: row.skipped_dates ?? [],
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
      instalment: row.instalment && { number: row.instalment.number, count: row.instalment.count },
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
