import type { Section } from '../records/record-types.js';

/** The version of an export. A change that earlier documents do not satisfy gets a new one. */
export const SCHEMA_VERSION = 3;

/** The versions that can be imported. */
export const SCHEMA_VERSIONS = [1, 2, SCHEMA_VERSION] as const;
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

interface Additions {
  sections: readonly Section[];
  /** The fields of the rows of earlier sections. */
  fields: Partial<Record<Section, readonly string[]>>;
}

const CARD_MEMBERS = [
  ...['closing_day', 'due_day', 'due_days_after', 'due_weekend_rule', 'first_closing_date'],
  ...['autopay', 'paid_from_id'],
];
const TEMPLATE_AMOUNTS = ['amount_changes', 'last_amount', 'skipped_dates'];

/** What each version has that those before do not have, and refuse as unknown. */
const ADDED: Record<Exclude<SchemaVersion, 1>, Additions> = {
  2: {
    sections: ['budgets'],
    fields: {
      expense_templates: ['budget_id'],
      cycles: ['budget_limits'],
      expenses: ['budget_id'],
    },
  },
  3: {
    sections: ['balances', 'card_statements'],
    fields: {
      payment_methods: CARD_MEMBERS,
      budgets: ['currency'],
      expense_templates: TEMPLATE_AMOUNTS,
      income_templates: [...TEMPLATE_AMOUNTS, 'budget_id'],
      cycles: ['side'],
      expenses: ['instalment'],
      incomes: ['instalment', 'budget_id'],
    },
  },
};

/** Sections that documents of the last version lack which were exported before they were added. */
const OMITTABLE: readonly string[] = ['card_statements'] satisfies Section[];

/** What versions after this one have added. */
const addedAfter = (version: SchemaVersion): Additions[] =>
  Object.entries(ADDED).flatMap(([later, added]) => (Number(later) > version ? added : []));

/** Whether only later versions have the section. */
export const isLaterSection = (version: SchemaVersion, section: string): boolean =>
  addedAfter(version).some(({ sections }) => sections.some((added) => added === section));

/** Whether a document that may have the section may lack it. */
export const isOmittable = (section: string): boolean => OMITTABLE.includes(section);

/** The fields of the rows of a section that only later versions have. */
export const laterFields = (version: SchemaVersion, section: Section): readonly string[] =>
  addedAfter(version).flatMap(({ fields }) => fields[section] ?? []);
