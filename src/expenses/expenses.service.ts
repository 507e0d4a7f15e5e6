import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ResourceNotFoundError } from '../common/errors/domain-error.js';
import type { Money } from '../common/money.js';
import type { Cycle } from '../cycles/cycle.entity.js';
import { CyclesService } from '../cycles/cycles.service.js';
import { applyPayment } from '../cycles/expense-status.js';
import { Ledger } from '../cycles/ledger.js';
import { Database } from '../database/database.js';
import {
  ExchangeRatesService,
  type DatedAmount,
} from '../exchange-rates/exchange-rates.service.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { CreateExpenseDto, ListExpensesQuery, UpdateExpenseDto } from './dto/expense.dto.js';
import { ExpensesRepository, type ExpenseList, type ExpenseView } from './expenses.repository.js';

/** Where an expense is. */
export interface ExpensePath {
  cycleId: string;
  expenseId: string;
}

/** The expenses of a cycle (see docs/api.md). */
@Injectable()
export class ExpensesService {
  constructor(
    private readonly database: Database,
    private readonly repository: ExpensesRepository,
    private readonly cycles: CyclesService,
    private readonly ledger: Ledger,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /** By due date, then creation, with totals over the expenses listed. */
  async list(
    user: AuthenticatedUser,
    cycleId: string,
    { payment_method_id: paymentMethodId, ...filter }: ListExpensesQuery,
  ): Promise<ExpenseList> {
    const cycle = await this.cycles.getCycle(user, cycleId);
    return this.repository.list(this.database.manager, cycle, { ...filter, paymentMethodId });
  }

  /** @throws DomainError CYCLE_NOT_FOUND, ResourceNotFoundError */
  async get(user: AuthenticatedUser, { cycleId, expenseId }: ExpensePath): Promise<ExpenseView> {
    const cycle = await this.cycles.getCycle(user, cycleId);
    return this.view(this.database.manager, cycle, expenseId);
  }

  /**
   * Adds a manual expense. The answer has the status that is stored, also where reading it back would
   * derive `overdue`.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError or ValidationFailedError for the payment method
   */
  create(user: AuthenticatedUser, cycleId: string, dto: CreateExpenseDto): Promise<ExpenseView> {
    return this.database.transaction(async (manager) => {
      const cycle = await this.ledger.openCycle(manager, user, cycleId);
      const method = await this.paymentMethods.choose(manager, user, dto.payment_method_id);
      const { amount, currency, due_date: date } = dto;
      const expense = await this.ledger.addExpense(manager, user, cycle, {
        templateId: null,
        paymentMethodId: method.id,
        description: dto.description,
        currency,
        amount,
        amountUsd: await this.toUsd(manager, { amount, currency, date }),
        dueDate: date,
        category: dto.category,
        autopayInfo: dto.autopay_info ?? null,
        comments: dto.comments ?? null,
      });
      const view = await this.view(manager, cycle, expense.id);
      return { ...view, status: 'pending' };
    });
  }

  /**
   * Changes an expense; `amount_usd` follows its amount, currency and due date.
   *
   * @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED, CURRENCY_CONVERSION_ERROR;
   *   ResourceNotFoundError for the expense or the payment method; ValidationFailedError when the
   *   payment method is inactive or status, paid and paid_at contradict each other
   */
  update(
    user: AuthenticatedUser,
    { cycleId, expenseId }: ExpensePath,
    dto: UpdateExpenseDto,
  ): Promise<ExpenseView> {
    return this.database.transaction(async (manager) => {
      const cycle = await this.ledger.openCycle(manager, user, cycleId);
      const expense = await this.ledger.openExpense(manager, cycle, expenseId);

      const asked = { status: dto.status, paid: dto.paid, paidAt: dto.paid_at };
      const payment = applyPayment(expense, asked, new Date());
      const methodId = dto.payment_method_id ?? expense.paymentMethodId;
      if (methodId !== expense.paymentMethodId) {
        await this.paymentMethods.choose(manager, user, methodId);
      }
      const priced = {
        amount: dto.amount ?? expense.amount,
        currency: dto.currency ?? expense.currency,
        dueDate: dto.due_date ?? expense.dueDate,
      };
      const isRepriced =
        !priced.amount.eq(expense.amount) ||
        priced.currency !== expense.currency ||
        priced.dueDate !== expense.dueDate;
      await this.ledger.changeExpense(manager, user, cycle, expense, {
        ...priced,
        amountUsd: isRepriced
          ? await this.toUsd(manager, { ...priced, date: priced.dueDate })
          : expense.amountUsd,
        description: dto.description ?? expense.description,
        paymentMethodId: methodId,
        category: dto.category ?? expense.category,
        comments: dto.comments === undefined ? expense.comments : dto.comments,
        autopayInfo: dto.autopay_info === undefined ? expense.autopayInfo : dto.autopay_info,
        ...payment,
      });
      return this.view(manager, cycle, expenseId);
    });
  }

  /** @throws DomainError CYCLE_NOT_FOUND, CYCLE_ALREADY_COMPLETED; ResourceNotFoundError */
  async remove(user: AuthenticatedUser, { cycleId, expenseId }: ExpensePath): Promise<void> {
    await this.database.transaction(async (manager) => {
      const cycle = await this.ledger.openCycle(manager, user, cycleId);
      const expense = await this.ledger.openExpense(manager, cycle, expenseId);
      await this.ledger.removeExpense(manager, user, cycle, expense);
    });
  }

  private async toUsd(manager: EntityManager, amount: DatedAmount): Promise<Money> {
    return (await this.exchangeRates.usdConverter(manager, [amount])).toUsd(amount);
  }

  private async view(manager: EntityManager, cycle: Cycle, id: string): Promise<ExpenseView> {
    const expense = await this.repository.find(manager, cycle, id);
    if (!expense) throw new ResourceNotFoundError('cycle_expense');
    return expense;
  }
}
