import fc from 'fast-check';
import { WEEKEND_RULES, type WeekendRule } from '../../src/platform/values/weekend-rule.js';
import type { RecurrenceRule } from '../../src/templates/recurrence/recurrence.js';
import { budgetField, chosenBudget } from './budgets.js';
import { plain } from './cents.js';
import { invalid, notFound, ofBody, when, type Refusal } from './expected-errors.js';
import {
  TEMPLATE_KINDS,
  type Budget,
  type Choice,
  type Method,
  type Template,
  type TemplateType,
} from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { choiceFaults, chosenOrNone } from './payment-methods.js';
import {
  anyAmount,
  anyCategory,
  anyChoice,
  anyCurrency,
  anyNote,
  anyNumber,
  anyTarget,
  partly,
  textOf,
} from './values.js';
import { templateView } from './views.js';

const someDay = fc.integer({ min: 1, max: 31 });

/**
 * Some rules are due often, some rarely, some never in a cycle; none generates very many expenses.
 */
const anyRule: fc.Arbitrary<RecurrenceRule> = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((day_of_week) => ({
    type: 'weekly' as const,
    config: { day_of_week },
  })),
  fc.integer({ min: 8, max: 40 }).map((interval_days) => ({
    type: 'bi_weekly' as const,
    config: { interval_days },
  })),
  fc.record({ day_of_month: someDay, handle_month_end: fc.boolean() }).map((config) => ({
    type: 'monthly' as const,
    config,
  })),
  fc.record({ interval: fc.nat(3).map((n) => n + 1), day_of_month: someDay }).map((config) => ({
    type: 'custom' as const,
    config: { ...config, unit: 'months' as const },
  })),
);

interface AmountChange {
  from: string;
  amount: string | number;
}

const anyFields = {
  description: fc.constantFrom('Rent', 'Luz', ' Netflix '),
  currency: anyCurrency,
  base_amount: anyAmount,
  amount_changes: fc.constantFrom<AmountChange[]>(
    [],
    [{ from: '2025-02-03', amount: '77.7' }],
    [
      { from: '2025-01-20', amount: 0.5 },
      { from: '2100-02-01', amount: '812.10' },
    ],
  ),
  last_amount: fc.constantFrom(null, null, '12.3', 7),
  skipped_dates: fc.constantFrom<string[]>([], ['2025-02-17'], ['2025-01-31', '2100-01-31']),
  reference_date: fc.constantFrom('2024-12-31', '2025-01-20', '2099-11-30'),
  starts_on: fc.constantFrom(null, null, '2024-06-01', '2025-02-16', '2100-02-14'),
  ends_on: fc.constantFrom(null, null, '2025-02-16', '2100-02-14', '2100-12-31'),
  weekend_rule: fc.constantFrom<WeekendRule>(...WEEKEND_RULES),
  budget: fc.option(anyChoice, { nil: null }),
};

const ownFields = {
  recurrent_expense: { method: anyChoice, category: anyCategory, autopay_info: anyNote },
  recurrent_income: { method: fc.option(anyChoice, { nil: null, freq: 2 }) },
};

const FLAWS = {
  description: ' ',
  base_amount: '-1',
  amount_changes: 'none',
  last_amount: '0',
  skipped_dates: ['2025-02-30'],
  recurrence_type: 'daily',
  reference_date: '2025-02-30',
  starts_on: '1899-12-31',
  ends_on: 'never',
  weekend_rule: 'monday',
  budget_id: 'none',
};

const ownFlaws = {
  recurrent_expense: { category: 'other' },
  recurrent_income: { category: 'fixed', payment_method_id: 'none' },
};

interface Sent {
  description: string;
  currency: string;
  /** Undefined or null only in income templates. */
  method: Choice | null;
  budget: Choice | null;
  base_amount: string | number;
  amount_changes: AmountChange[];
  last_amount: string | number | null;
  skipped_dates: string[];
  /** Only in expense templates, and optional there. */
  category?: string;
  reference_date: string;
  starts_on: string | null;
  ends_on: string | null;
  weekend_rule: WeekendRule;
  autopay_info?: string | null;
  recurrence_type: RecurrenceRule['type'];
  /** Together with its recurrence type. */
  recurrence_config: RecurrenceRule;
  active: boolean;
}

/** What a template refers to; undefined: not in the body. */
interface Chosen {
  method?: Method | null;
  budget?: Budget | null;
}

function bodyOf(
  { method: _method, budget: _budget, recurrence_config, ...sent }: Partial<Sent>,
  { method, budget }: Chosen,
): object {
  return {
    ...sent,
    ...(method !== undefined && { payment_method_id: method?.id ?? null }),
    ...budgetField(budget),
    ...(recurrence_config && { recurrence_config: recurrence_config.config }),
  };
}

function limitFaults({
  starts_on = null,
  ends_on = null,
}: Partial<Pick<Sent, 'starts_on' | 'ends_on'>>): Refusal[] {
  const isEndBeforeStart = starts_on !== null && ends_on !== null && ends_on < starts_on;
  return when(isEndBeforeStart, invalid('ends_on'));
}

const lastFaults = ({
  last_amount,
  ends_on,
}: {
  last_amount: string | number | null;
  ends_on: string | null;
}): Refusal[] => when(last_amount !== null && ends_on === null, invalid('last_amount'));

function asStored(sent: Partial<Sent>, chosen: Chosen): Partial<Template['fields']> {
  const { description, base_amount, amount_changes, last_amount, autopay_info } = sent;
  return {
    ...bodyOf(sent, chosen),
    ...(description !== undefined && { description: description.trim() }),
    ...(base_amount !== undefined && { base_amount: plain(base_amount) }),
    ...(amount_changes && {
      amount_changes: amount_changes.map(({ from, amount }) => ({ from, amount: plain(amount) })),
    }),
    ...(last_amount !== undefined && last_amount !== null && { last_amount: plain(last_amount) }),
    ...(autopay_info !== undefined && { autopay_info: textOf(autopay_info) }),
  };
}

interface Mutations {
  create: Mutation<{
    actor: number;
    rule: RecurrenceRule;
    sent: Omit<Sent, 'recurrence_type' | 'recurrence_config' | 'active'>;
  }>;
  update: Mutation<{
    target: { number: number; as: number | undefined };
    sent: Partial<Sent>;
  }>;
  remove: Mutation<{ number: number; as: number | undefined }>;
}

function mutationsOf(type: TemplateType): Mutations {
  const { path, resource } = TEMPLATE_KINDS[type];
  const fields = { ...anyFields, ...ownFields[type] };
  const flaws = { ...FLAWS, ...ownFlaws[type] };
  return {
    create: {
      operation: `POST ${path}`,
      values: fc.record({
        actor: anyNumber,
        rule: anyRule,
        sent: fc.record(fields) as unknown as fc.Arbitrary<Sent>,
      }),
      flaws,
      attempt: (model, { actor: number, rule, sent }) => {
        const actor = model.pick(model.users, number);
        const method = actor && chosenOrNone(model, actor, sent.method);
        if (method === undefined || !actor) return undefined;
        const budget = chosenBudget(model, actor, sent.budget);
        const chosen = { method, budget };
        const complete = { ...sent, recurrence_type: rule.type, recurrence_config: rule };
        return {
          actor,
          path,
          body: bodyOf(complete, chosen),
          faults: [
            ...[...limitFaults(sent), ...lastFaults(sent)].map(ofBody),
            ...choiceFaults(actor, method),
            ...choiceFaults(actor, budget),
          ],
          effect: effect(201, (created: { id: string; created_at: string; updated_at: string }) => {
            const template: Template = {
              type,
              id: created.id,
              owner: actor,
              cycleId: null,
              fields: {
                ...({ budget_id: null, ...asStored(complete, chosen) } as Template['fields']),
                active: true,
              },
              createdAt: created.created_at,
              updatedAt: created.updated_at,
            };
            model.templates.push(template);
            model.recordCreation(actor, template);
            return templateView(model, template);
          }),
        };
      },
    },
    update: {
      operation: `PUT ${path}/{id}`,
      values: fc.record({
        target: anyTarget,
        sent: fc.oneof(
          partly<Sent>({ ...fields, active: fc.boolean() } as never),
          anyRule.map((rule) => ({ recurrence_type: rule.type, recurrence_config: rule })),
          anyRule.map((rule) => ({ recurrence_config: rule })),
          anyRule.map((rule) => ({ recurrence_type: rule.type })),
          fc.record({ active: fc.boolean() }),
        ),
      }),
      flaws: { ...flaws, active: null },
      attempt: (model, { target, sent }) => {
        const template = model.pick(model.templatesOf(type), target.number);
        if (!template) return undefined;
        const actor = model.actor(template.owner, target.as);
        const method =
          sent.method === undefined ? undefined : chosenOrNone(model, actor, sent.method);
        const budget = chosenBudget(model, actor, sent.budget);
        const chosen = { method, budget };
        const { recurrence_type, payment_method_id, budget_id } = template.fields;
        const typeOfConfig = sent.recurrence_config?.type ?? recurrence_type;
        return {
          actor,
          path: `${path}/${template.id}`,
          body: bodyOf(sent, chosen),
          focus: template,
          faults: [
            ...limitFaults(sent).map(ofBody),
            ...(actor === template.owner
              ? [
                  ...choiceFaults(actor, method, payment_method_id),
                  ...choiceFaults(actor, budget, budget_id),
                  ...when(typeOfConfig !== (sent.recurrence_type ?? recurrence_type), invalid()),
                  ...limitFaults({ ...template.fields, ...sent }),
                  ...lastFaults({ ...template.fields, ...sent }),
                ]
              : [notFound(resource)]),
          ],
          effect: effect(200, (responseBody: { updated_at: string }) => {
            if (model.change(actor, template, asStored(sent, chosen))) {
              template.updatedAt = responseBody.updated_at;
            }
            return templateView(model, template);
          }),
        };
      },
    },
    remove: {
      operation: `DELETE ${path}/{id}`,
      values: anyTarget,
      attempt: (model, { number, as }) => {
        const template = model.pick(model.templatesOf(type), number);
        if (!template) return undefined;
        const actor = model.actor(template.owner, as);
        return {
          actor,
          path: `${path}/${template.id}`,
          focus: template,
          faults: when(actor !== template.owner, notFound(resource)),
          effect: noContent(() => {
            model.change(actor, template, { active: false });
          }),
        };
      },
    },
  };
}

export const expenseTemplates = mutationsOf('recurrent_expense');
export const incomeTemplates = mutationsOf('recurrent_income');
