import { readFileSync } from 'node:fs';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Client } from './client.js';

interface HouseholdTemplate {
  description: string;
  payment_method: string;
  autopay_info: string | null;
  [field: string]: unknown;
}

interface ExpectedExpense {
  description: string;
  due_date: string;
  currency: string;
  amount: string;
  amount_usd: string;
  category: string;
  payment_method: string;
}

/** A bilingual household and what its cycle must give, computed independently of this code. */
export interface Household {
  payment_methods: { name: string; [field: string]: unknown }[];
  templates: HouseholdTemplate[];
  cycle: Record<string, unknown>;
  expected: {
    expense_count: number;
    total_expenses: string;
    fixed_expenses: string;
    variable_expenses: string;
    usa_expenses: string;
    mexico_expenses: string;
    remaining_balance: string;
    expenses: ExpectedExpense[];
  };
}

export const household = JSON.parse(
  readFileSync(new URL('../../fixtures/household.json', import.meta.url), 'utf8'),
) as Household;

/** Enters the household's data over HTTP and gives the cycle it results in. */
export async function playHousehold(user: Client): Promise<CycleResponse> {
  const methodIds = new Map<string, string>();
  for (const method of household.payment_methods) {
    methodIds.set(method.name, (await user.createPaymentMethod(method)).id);
  }
  for (const { payment_method: name, ...template } of household.templates) {
    await user.createTemplate({ ...template, payment_method_id: methodIds.get(name) });
  }
  return user.createCycle(household.cycle);
}
