import { Big } from 'big.js';
import type { ColumnOptions, ValueTransformer } from 'typeorm';

const bigColumn: ValueTransformer = {
  to: (value?: Big) => value?.toFixed(),
  from: (value: string | null) => (value === null ? null : new Big(value)),
};

/** An amount in a request: at most 9 integer digits. */
export const AMOUNT: ColumnOptions = {
  type: 'numeric',
  precision: 12,
  scale: 2,
  transformer: bigColumn,
};

/** A sum of amounts, wide enough that it cannot overflow. */
export const BALANCE: ColumnOptions = {
  type: 'numeric',
  precision: 24,
  scale: 2,
  transformer: bigColumn,
};

/** An exchange rate. */
export const RATE: ColumnOptions = {
  type: 'numeric',
  precision: 18,
  scale: 6,
  transformer: bigColumn,
};

/** An instant with the millisecond precision of the API. */
export const INSTANT = { type: 'timestamp with time zone', precision: 3 } as const;
