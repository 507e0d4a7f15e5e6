import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import type { Budget } from '../budgets/budget.entity.js';
import { ChosenBudgets } from '../budgets/chosen-budgets.js';
import {
  ExchangeRatesService,
  type DatedAmount,
  type UsdConverter,
} from '../exchange-rates/exchange-rates.service.js';
import { balanceAfter } from '../ledger/entities/balance.js';
import { cycleNotFound } from '../ledger/entities/cycle-errors.js';
import { CycleExpense } from '../ledger/entities/cycle-expense.entity.js';
import { Ledger } from '../ledger/ledger.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import { Database, type Scope } from '../platform/database/database.js';
import { checkFields } from '../platform/dto/request-validation.pipe.js';
import { DomainError, RowsFailedError } from '../platform/errors/domain-error.js';
import type { FieldError, FieldErrors, RowErrors } from '../platform/errors/field-reasons.js';
import type { CsvRow } from '../platform/files/csv.js';
import { withPauses } from '../platform/process/pauses.js';
import { formatMoney, sumMoney } from '../platform/values/money.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { ImportedExpenseDto, type ImportExpensesResponse } from './dto/expense-import.dto.js';
import { nameError, RecordNames } from './record-names.js';

/** The columns of an amount with its conversion. */
const CONVERTED: readonly (keyof ImportedExpenseDto)[] = ['amount', 'currency', 'due_date'];

interface CheckedRow {
  line: number;
  dto: ImportedExpenseDto;
  errors: FieldErrors;
}

interface Names {
  methods: RecordNames<PaymentMethod>;
  budgets: RecordNames<Budget>;
}

/** Adds the expenses of a CSV file to a cycle, all of them or none. */
@Injectable()
export class ExpenseImportService {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly budgets: ChosenBudgets,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * Adds all expenses of a file or none; with `isDryRun`, none. Amounts in USD are converted by the
   * rates of the due dates.
   *
   * @throws RowsFailedError with the problems of the rows; DomainError CYCLE_NOT_FOUND,
   *   CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT at the limit
   */
  async import(
    user: AuthenticatedUser,
    cycleId: string,
    file: readonly CsvRow[],
    isDryRun: boolean,
  ): Promise<ImportExpensesResponse> {
    const rows: CheckedRow[] = [];
    for await (const row of withPauses(file)) rows.push(await checkRow(row));
    return this.database.transaction(user, async (scope) => {
      const cycle = await this.ledger.lockCycleIfExists(scope, cycleId);
      const [{ expenses, errors }] = await sendTogether([
        this.resolve(scope, rows),
        // Beyond the limit, the rows do not matter.
        cycle &&
          cycle.status !== 'completed' &&
          this.ledger.assertEntryLimit(scope, CycleExpense, cycle, rows.length),
      ]);
      // Errors that depend on stored data come after those of the cycle.
      if (rows.some((row) => hasErrors(row.errors))) throw new RowsFailedError(errors);
      if (!cycle) throw cycleNotFound();
      cycle.assertOpen();
      if (hasErrors(errors)) throw new RowsFailedError(errors);
      if (!isDryRun) await this.ledger.add(scope, cycle, expenses);
      const added = expenses.map((after) => ({ before: null, after }));
      return {
        imported: expenses.length,
        total_amount_usd: formatMoney(sumMoney(expenses.map(({ amountUsd }) => amountUsd))),
        remaining_balance: formatMoney(balanceAfter(cycle, added)),
      };
    });
  }

  /** The expenses of the rows without errors, and the errors of the others. */
  private async resolve(
    scope: Scope,
    rows: readonly CheckedRow[],
  ): Promise<{ expenses: CycleExpense[]; errors: RowErrors }> {
    const [methods, budgets, converter] = await sendTogether([
      this.paymentMethods.lockAll(scope),
      rows.some(({ dto }) => dto.budget) ? this.budgets.lockAll(scope) : [],
      this.exchangeRates.usdConverter(scope, rows.filter(isConvertible).map(datedAmount)),
    ]);
    const names = { methods: new RecordNames(methods), budgets: new RecordNames(budgets) };
    const resolved = rows.map((row) => resolveRow(row, names, converter));
    const invalid = resolved.filter(({ errors }) => hasErrors(errors));
    return {
      expenses: resolved.flatMap(({ expense }) => expense ?? []),
      errors: Object.fromEntries(invalid.map(({ line, errors }) => [line, errors])),
    };
  }
}

const hasErrors = (errors: object): boolean => Object.keys(errors).length > 0;

/** Checks what does not depend on stored data. */
async function checkRow({ line, cells, problem }: CsvRow): Promise<CheckedRow> {
  const { dto, errors } = await checkFields(ImportedExpenseDto, cells);
  return { line, dto, errors: problem === undefined ? errors : { row: [problem] } };
}

const isConvertible = ({ errors }: CheckedRow): boolean =>
  !('row' in errors) && CONVERTED.every((column) => !(column in errors));

const datedAmount = ({ dto }: CheckedRow): DatedAmount => ({
  amount: dto.amount,
  currency: dto.currency,
  date: dto.due_date,
});

function resolveRow(
  row: CheckedRow,
  names: Names,
  converter: UsdConverter,
): { line: number; errors: FieldErrors; expense?: CycleExpense } {
  const { line, dto } = row;
  const errors = { ...row.errors };
  const find = <Row extends { name: string; active: boolean }>(
    column: 'payment_method' | 'budget',
    rows: RecordNames<Row>,
  ): Row | undefined => {
    const name = dto[column];
    if (name === undefined || 'row' in errors || column in errors) return undefined;
    const found = rows.find(name);
    if (typeof found !== 'string') return found;
    errors[column] = [nameError(column, found)];
    return undefined;
  };
  const method = find('payment_method', names.methods);
  const budget = find('budget', names.budgets) ?? null;
  const problem = isConvertible(row) ? conversionProblem(row, converter) : undefined;
  if (problem) errors.amount = [problem];
  if (!method || hasErrors(errors)) return { line, errors };
  const expense = CycleExpense.create(
    fieldsIn(CycleExpense.fields, dto),
    { method, budget },
    converter,
  );
  if (dto.paid_at) expense.pay({ paid: true, paidAt: dto.paid_at }, dto.paid_at);
  return { line, errors, expense };
}

function conversionProblem(row: CheckedRow, converter: UsdConverter): FieldError | undefined {
  try {
    converter.toUsd(datedAmount(row));
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = `amount cannot be converted: ${error.message}`;
    return { reason: 'not_convertible', message };
  }
}
