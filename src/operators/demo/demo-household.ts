import { readProjectJson } from '../../platform/config/project-files.js';

interface DemoTemplate {
  description: string;
  payment_method: string;
}

/** Example data; templates refer to payment methods by name. */
interface DemoHousehold {
  payment_methods: { name: string }[];
  templates: DemoTemplate[];
  income_templates: DemoTemplate[];
  cycle: { income_amount: string };
}

export const demoHousehold = readProjectJson('fixtures/sample-household.json') as DemoHousehold;

/** The request bodies of templates, with the ids of their payment methods by name. */
export const templateBodies = (
  templates: readonly DemoTemplate[],
  methodIds: ReadonlyMap<string, string>,
): object[] =>
  templates.map(({ payment_method: name, ...template }) => ({
    ...template,
    payment_method_id: methodIds.get(name),
  }));
