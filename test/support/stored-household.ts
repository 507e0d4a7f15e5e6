/** What is stored of a household, as the reference implementations take it. */
import type { PlannedDay, PlannedTemplate } from './planned-days.js';

export type Currency = 'USD' | 'MXN';

export interface Method {
  id: string;
  name: string;
  method_type: string;
  default_currency: Currency;
  active: boolean;
  /** Null: it has no statements, and the members that follow are null or without meaning. */
  closing_day: number | null;
  due_day: number | null;
  due_days_after: number | null;
  due_weekend_rule: 'keep' | 'before' | 'after';
  first_closing_date: string | null;
  autopay: boolean;
  /** From which it is paid; null: from the main one. */
  paid_from_id: string | null;
}

/** What is stored of a statement of a card. */
export interface StoredStatement {
  id: string;
  payment_method_id: string;
  closing_date: string;
  first_date: string;
  due_date: string;
  stated_amount: string | null;
  /** When it was paid; null: it is not marked as paid. */
  amount: string | null;
  paid_amount: string | null;
  /** Milliseconds; null: it is not marked as paid. */
  paid_at: number | null;
}

export interface Budget {
  id: string;
  name: string;
  /** Of its limits. */
  currency: Currency;
  /** What a new cycle may spend on it; null: no limit. */
  cycle_limit: string | null;
  active: boolean;
}

/** A cycle of any status that is not deleted. */
export interface StoredCycle {
  id: string;
  name: string;
  start_date: string;
  end_date: string;
  status: 'draft' | 'active' | 'completed';
  income_amount: string;
  remaining_balance: string;
  side: boolean;
  budget_limits: readonly { budget_id: string; limit: string }[];
}

/** An expense or an income that is not deleted. */
export interface StoredEntry {
  entity_type: 'cycle_expense' | 'cycle_income';
  id: string;
  cycle_id: string;
  date: string;
  description: string;
  category: string | null;
  currency: Currency;
  amount: string;
  amount_usd: string;
  budget_id: string | null;
  payment_method_id: string | null;
  template_id: string | null;
  occurrence_date: string | null;
  instalment: PlannedDay['instalment'];
  /** Paid or received. */
  settled: boolean;
  cancelled: boolean;
  /** Whether it is a manual one or no longer has the values that generation gave it. */
  edited: boolean;
}

/** An active template. */
export interface ActiveTemplate extends PlannedTemplate {
  entity_type: 'cycle_expense' | 'cycle_income';
  id: string;
  description: string;
  category: string | null;
  currency: Currency;
  budget_id: string | null;
  payment_method_id: string | null;
}

export interface StoredRate {
  from_currency: Currency;
  to_currency: Currency;
  rate: string;
  rate_date: string;
}

export interface Household {
  today: string;
  timeZone: string;
  nextIncomeAmount: 'same' | 'zero';
  /** The maximum of `end_date - start_date`. */
  cycleMaxDays: number;
  /** These in the order of their creation. */
  methods: readonly Method[];
  budgets: readonly Budget[];
  cycles: readonly StoredCycle[];
  entries: readonly StoredEntry[];
  /** Those of expenses first, each kind in the order of creation. */
  templates: readonly ActiveTemplate[];
  /** In any order. */
  statements: readonly StoredStatement[];
  rates: readonly StoredRate[];
}

/** The calendar day of an instant, in milliseconds, in a zone. */
export function dayOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(instant));
}

export const isOpenCycle = ({ status }: StoredCycle): boolean => status !== 'completed';
