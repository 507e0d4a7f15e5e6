import { readProjectJson } from '../../platform/config/project-files.js';

interface DemoTemplate {
  description: string;
  payment_method: string;
  budget?: string;
}

/** Example data; templates refer to payment methods and budgets by name. */
interface DemoHousehold {
  payment_methods: { name: string }[];
  budgets: { name: string }[];
  templates: DemoTemplate[];
  income_templates: DemoTemplate[];
  cycle: { income_amount: string };
}

/** The ids of what the household has, by name. */
export interface DemoIds {
  methods: ReadonlyMap<string, string>;
  budgets: ReadonlyMap<string, string>;
}

export const demoHousehold = readProjectJson('fixtures/sample-household.json') as DemoHousehold;

/** The request bodies of templates, with the ids of their payment methods and budgets. */
export const templateBodies = (
  templates: readonly DemoTemplate[],
  { methods, budgets }: DemoIds,
): object[] =>
  templates.map(({ payment_method: method, budget, ...template }) => ({
    ...template,
    payment_method_id: methods.get(method),
    ...(budget !== undefined && { budget_id: budgets.get(budget) }),
  }));
