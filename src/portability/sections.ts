/** The version of the document. A change that earlier documents do not satisfy gets a new one. */
export const SCHEMA_VERSION = 1;

/** The arrays of a document in their order: each one refers only to those before it. */
export const SECTIONS = [
  'payment_methods',
  'expense_templates',
  'income_templates',
  'cycles',
  'expenses',
  'incomes',
  'comments',
] as const;
export type Section = (typeof SECTIONS)[number];
