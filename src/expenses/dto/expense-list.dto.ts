import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BudgetFilterField } from '../../budgets/dto/budget.dto.js';
import { EXPENSE_STATUSES, type ExpenseStatus } from '../../ledger/entities/expense-status.js';
import { EnumField, UuidField } from '../../platform/dto/fields.js';
import { CountProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import { CURRENCY_CODES, type CurrencyCode } from '../../platform/values/currency.js';
import {
  EXPENSE_CATEGORIES,
  type ExpenseCategory,
} from '../../templates/expense-template.entity.js';
import { ExpenseResponse } from './expense.dto.js';

export class ListExpensesQuery {
  @EnumField(EXPENSE_STATUSES, 'ExpenseStatus', {
    omittable: true,
    description: 'The displayed status, including the derived `overdue`',
  })
  status?: ExpenseStatus;

  @EnumField(EXPENSE_CATEGORIES, 'ExpenseCategory', {
    omittable: true,
    description: 'Default: both',
  })
  category?: ExpenseCategory;

  @EnumField(CURRENCY_CODES, 'CurrencyCode', { omittable: true, description: 'Default: both' })
  currency?: CurrencyCode;

  @UuidField({
    omittable: true,
    description: 'An unknown payment method matches nothing',
  })
  payment_method_id?: string;

  @BudgetFilterField()
  budget_id?: string;
}

@ApiSchema({ description: 'Totals of expenses' })
export class ExpenseListSummary {
  @MoneyProperty({ example: '6138.89', description: 'USD, without cancelled expenses' })
  total_amount_usd!: string;

  @MoneyProperty({ example: '4097.43', description: 'USD, without cancelled expenses' })
  fixed_amount!: string;

  @MoneyProperty({ example: '2041.46', description: 'USD, without cancelled expenses' })
  variable_amount!: string;

  @MoneyProperty({ example: '0.00', description: 'USD' })
  paid_amount!: string;

  @MoneyProperty({ example: '6138.89', description: 'USD, neither paid nor cancelled' })
  pending_amount!: string;

  @CountProperty({ example: 35, description: 'All listed expenses, including cancelled ones' })
  total_count!: number;
}

@ApiSchema({ description: 'Expenses with their totals' })
export class ExpenseListResponse {
  @ApiProperty({ type: [ExpenseResponse], description: 'The expenses that match the filters' })
  expenses!: ExpenseResponse[];

  @ApiProperty({ description: 'Totals of the listed expenses' })
  summary!: ExpenseListSummary;
}
