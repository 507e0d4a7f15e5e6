import { readProjectJson } from '../common/project-files.js';

/** A bilingual household: what it would type in, and by the names of its payment methods. */
export interface Household {
  payment_methods: { name: string }[];
  templates: { description: string; payment_method: string }[];
  cycle: { name: string; income_amount: string };
}

export const household = readProjectJson('fixtures/household.json') as Household;
