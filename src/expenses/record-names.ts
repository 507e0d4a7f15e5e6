import type { FieldError } from '../platform/errors/field-reasons.js';

interface Named {
  name: string;
  active: boolean;
}

/** Finds the records of one kind by name, as files name them, whatever the Unicode form. */
export class RecordNames<Row extends Named> {
  /** The records by the name as stored, and in NFC where no other one has that name. */
  private readonly exact = new Map<string, Row>();
  /** The records by the name in NFC and lower case. */
  private readonly folded = new Map<string, Row[]>();

  constructor(rows: readonly Row[]) {
    for (const row of rows) {
      this.exact.set(row.name.normalize('NFC'), row);
      const key = fold(row.name);
      this.folded.set(key, [...(this.folded.get(key) ?? []), row]);
    }
    for (const row of rows) this.exact.set(row.name, row);
  }

  /**
   * The active record with exactly this name, or else the only active one with it in other case.
   *
   * @param name in NFC
   * @returns why there is none, where there is none: `inactive` if only inactive ones have the name
   */
  find(name: string): Row | 'ambiguous' | 'inactive' | 'not_found' {
    const exact = this.exact.get(name);
    const similar = exact ? [exact] : (this.folded.get(fold(name)) ?? []);
    const [record, ...others] = similar.filter(({ active }) => active);
    if (others.length > 0) return 'ambiguous';
    return record ?? (similar.length > 0 ? 'inactive' : 'not_found');
  }
}

const fold = (name: string): string => name.toLowerCase().normalize('NFC');

/**
 * The error of a column whose name is not found. An inactive payment method is `not_found`, as it
 * was before there were budgets.
 */
export function nameError(
  column: 'payment_method' | 'budget',
  reason: 'ambiguous' | 'inactive' | 'not_found',
): FieldError {
  const noun = column.replace('_', ' ');
  const isHidden = reason === 'inactive' && column === 'payment_method';
  return {
    reason: isHidden ? 'not_found' : reason,
    message:
      reason === 'ambiguous'
        ? `${column} must have the exact name, because several differ only in case`
        : `${column} must be the name of an active ${noun}`,
  };
}
