import { writeCsv, type CsvFormat } from '../platform/files/csv.js';
import type { ExpenseResponse } from './dto/expense.dto.js';

/** The columns of an exported file. */
const COLUMNS = [
  'due_date',
  'description',
  'category',
  'currency',
  'amount',
  'amount_usd',
  'payment_method',
  'status',
  'paid_at',
  'comments',
  'autopay_info',
  'budget',
] as const;

/** A file that can be imported; exported files can. */
export const EXPENSE_CSV: CsvFormat = {
  required: ['due_date', 'description', 'category', 'currency', 'amount', 'payment_method'],
  optional: ['comments', 'autopay_info', 'paid_at', 'budget'],
  ignored: ['amount_usd', 'status'],
  text: ['description', 'payment_method', 'comments', 'autopay_info', 'budget'],
  maxRows: 2000,
};

/** Imports of files and of whole accounts: a user has one at a time in a process. */
export const IMPORTS = { name: 'import', max: 1 };

export const EXPENSE_CSV_EXAMPLE = [
  'due_date,description,category,currency,amount,payment_method,comments',
  '2026-01-25,Súper,variable,MXN,812.35,Débito,Despensa de la semana',
  '',
].join('\r\n');

export const toExpenseCsv = (expenses: readonly ExpenseResponse[]): string =>
  writeCsv(
    COLUMNS,
    EXPENSE_CSV,
    expenses.map((expense) => ({
      ...expense,
      payment_method: expense.payment_method.name,
      budget: expense.budget?.name ?? null,
    })),
  );
