import { Big } from 'big.js';
import type { ColumnOptions, ValueTransformer } from 'typeorm';

const bigColumn: ValueTransformer = {
  to: (value?: Big) => value?.toFixed(),
  from: (value: string | null) => (value === null ? null : new Big(value)),
};

/** An amount a client gives: the largest has 9 integer digits. */
export const AMOUNT: ColumnOptions = {
  type: 'numeric',
  precision: 12,
  scale: 2,
  transformer: bigColumn,
};

/** A sum of amounts, wide enough never to overflow. */
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

/** An instant; stored in the milliseconds that clients see. */
export const INSTANT = { type: 'timestamp with time zone', precision: 3 } as const;
