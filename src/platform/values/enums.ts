export const CURRENCY_CODES = ['USD', 'MXN'] as const;
export type CurrencyCode = (typeof CURRENCY_CODES)[number];

export const EXPENSE_CATEGORIES = ['fixed', 'variable'] as const;
export type ExpenseCategory = (typeof EXPENSE_CATEGORIES)[number];
