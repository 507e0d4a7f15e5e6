/** A change of the plan that is tried, as it is typed. */
import type { Schemas } from 'expense-service-client';
import type { Currency } from '../api';
import { isAmount } from '../components/inputs';
import { addEntry } from '../entries/entry';
import { createTemplate, monthly } from '../planning/templates';

export type Change = NonNullable<Schemas['WhatIfDto']['changes']>[number];

export interface Draft {
  kind: 'expense' | 'income' | 'recurring' | 'rate' | 'pause' | 'change';
  description: string;
  amount: string;
  currency: Currency;
  /** The first day of what changes for more than one. */
  date: string;
  /** The last day of a pause. */
  to: string;
  payment_method_id: string;
  /** Dollars for one peso. */
  rate: string;
  template_id: string | null;
  /** Of what recurs, in its own currency. */
  new_amount: string;
}

export const newDraft = (today: string, currency: Currency): Draft => ({
  kind: 'expense',
  description: '',
  amount: '',
  currency,
  date: today,
  to: '',
  payment_method_id: '',
  rate: '',
  template_id: null,
  new_amount: '',
});

export const isBlank = ({ description, amount, rate, template_id }: Draft): boolean =>
  !(description || amount || rate || template_id);

export const isEntry = ({ kind }: Draft): boolean => kind === 'expense' || kind === 'income';

/** Whether it can be stored. */
export const canBeAdded = (draft: Draft): boolean => isEntry(draft) || draft.kind === 'recurring';

export const isOfTemplate = ({ kind }: Draft): boolean => kind === 'pause' || kind === 'change';

/** With six decimals, as the API writes it. */
export function rateOf({ rate }: Draft): string {
  const [whole, decimals = ''] = rate.replace(',', '.').split('.');
  return `${whole}.${decimals.padEnd(6, '0')}`;
}

export const isRate = ({ rate }: Draft): boolean =>
  /^\d{1,12}([.,]\d{1,6})?$/.test(rate) && /[1-9]/.test(rate);

/** As the service takes it, or undefined while something is missing. */
export function changeOf(draft: Draft): Change | undefined {
  const { kind, description, amount, currency, date, to, template_id, new_amount } = draft;
  if (!date || (canBeAdded(draft) && !isAmount(amount))) return undefined;
  const entry = { description: description || '?', currency };
  switch (kind) {
    case 'rate':
      return isRate(draft) ? { op: 'exchange_rate', rate: rateOf(draft), from: date } : undefined;
    case 'pause':
      return template_id && to ? { op: 'skip_template', template_id, from: date, to } : undefined;
    case 'change':
      return template_id && isAmount(new_amount)
        ? { op: 'change_template', template_id, from: date, amount: new_amount }
        : undefined;
    case 'recurring':
      return { op: 'add_expense_template', ...entry, ...monthly(date), base_amount: amount };
    default:
      return { op: `add_${kind}`, ...entry, amount, date };
  }
}

/** Stores it; undefined where no cycle has its day. */
export async function addDraft(draft: Draft) {
  const { kind, date, description, amount, currency, payment_method_id } = draft;
  const body = { description, amount, currency, payment_method_id };
  if (kind === 'income') return addEntry({ ...body, income_date: date });
  return kind === 'expense'
    ? addEntry({ ...body, due_date: date, category: 'variable' })
    : createTemplate('expense', { ...body, ...monthly(date), base_amount: amount });
}
