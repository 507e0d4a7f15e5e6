export const CURRENCY_CODES = ['USD', 'MXN'] as const;
export type CurrencyCode = (typeof CURRENCY_CODES)[number];
