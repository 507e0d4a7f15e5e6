import fc from 'fast-check';
import type { RecurrenceRule } from '../../src/templates/recurrence/recurrence.js';
import type { TemplateResponse } from '../../src/templates/dto/template.dto.js';
import { plain } from './cents.js';
import { effect, silently, type Mutation } from './mutation.js';
import { choiceFaults, chosen } from './payment-methods.js';
import { invalid, notFound, when } from './refusals.js';
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
import type { Choice, Method, Template } from './world.js';

const someDay = fc.integer({ min: 1, max: 31 });

/** Some fall due often, some seldom, some never in a cycle; none so often that there is no end of it. */
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

const anyFields = {
  description: fc.constantFrom('Rent', 'Luz', ' Netflix '),
  currency: anyCurrency,
  method: anyChoice,
  base_amount: anyAmount,
  category: anyCategory,
  reference_date: fc.constantFrom('2024-12-31', '2025-01-20', '2099-11-30'),
  autopay_info: anyNote,
};

const FLAWS = {
  description: ' ',
  base_amount: '-1',
  category: 'other',
  recurrence_type: 'daily',
  reference_date: '2025-02-30',
};

interface Sent {
  description: string;
  currency: string;
  method: Choice;
  base_amount: string | number;
  category: string;
  reference_date: string;
  autopay_info: string | null;
  recurrence_type: RecurrenceRule['type'];
  /** With the type that it is for. */
  recurrence_config: RecurrenceRule;
  active: boolean;
}

function bodyOf(
  { method: _chosen, recurrence_config, ...sent }: Partial<Sent>,
  method?: Method,
): object {
  return {
    ...sent,
    ...(method && { payment_method_id: method.id }),
    ...(recurrence_config && { recurrence_config: recurrence_config.config }),
  };
}

function asStored(sent: Partial<Sent>, method?: Method): Partial<Template['fields']> {
  const { description, base_amount, autopay_info } = sent;
  return {
    ...bodyOf(sent, method),
    ...(description !== undefined && { description: description.trim() }),
    ...(base_amount !== undefined && { base_amount: plain(base_amount) }),
    ...(autopay_info !== undefined && { autopay_info: textOf(autopay_info) }),
  };
}

export const createTemplate: Mutation<{
  actor: number;
  rule: RecurrenceRule;
  sent: Omit<Sent, 'recurrence_type' | 'recurrence_config' | 'active'>;
}> = {
  operation: 'POST /expense-templates',
  values: fc.record({ actor: anyNumber, rule: anyRule, sent: fc.record(anyFields) }),
  flaws: FLAWS,
  attempt: (world, { actor: number, rule, sent }) => {
    const actor = world.pick(world.users, number);
    const method = actor && chosen(world, actor, sent.method);
    if (!method) return undefined;
    const whole = { ...sent, recurrence_type: rule.type, recurrence_config: rule };
    return {
      actor,
      path: '/expense-templates',
      body: bodyOf(whole, method),
      faults: choiceFaults(actor, method),
      effect: effect(201, (made: TemplateResponse) => {
        const template: Template = {
          type: 'recurrent_expense',
          id: made.id,
          owner: actor,
          cycleId: null,
          fields: { ...(asStored(whole, method) as Template['fields']), active: true },
          createdAt: made.created_at,
          updatedAt: made.updated_at,
        };
        world.templates.push(template);
        world.recordCreation(actor, template);
        return templateView(world, template);
      }),
    };
  },
};

export const updateTemplate: Mutation<{
  target: { number: number; as: number | undefined };
  sent: Partial<Sent>;
}> = {
  operation: 'PUT /expense-templates/{id}',
  values: fc.record({
    target: anyTarget,
    sent: fc.oneof(
      partly<Sent>({ ...anyFields, active: fc.boolean() } as never),
      anyRule.map((rule) => ({ recurrence_type: rule.type, recurrence_config: rule })),
      anyRule.map((rule) => ({ recurrence_config: rule })),
      anyRule.map(({ type }) => ({ recurrence_type: type })),
      fc.record({ active: fc.boolean() }),
    ),
  }),
  flaws: { ...FLAWS, active: null },
  attempt: (world, { target, sent }) => {
    const template = world.pick(world.templates, target.number);
    if (!template) return undefined;
    const actor = world.actor(template.owner, target.as);
    const method = sent.method && chosen(world, actor, sent.method);
    const { recurrence_type, payment_method_id } = template.fields;
    const configIsFor = sent.recurrence_config?.type ?? recurrence_type;
    const path = `/expense-templates/${template.id}`;
    return {
      actor,
      path,
      body: bodyOf(sent, method),
      focus: template,
      faults:
        actor === template.owner
          ? [
              ...(method ? choiceFaults(actor, method, payment_method_id) : []),
              ...when(configIsFor !== (sent.recurrence_type ?? recurrence_type), invalid()),
            ]
          : [notFound('expense_template')],
      effect: effect(200, (answer: TemplateResponse) => {
        if (world.change(actor, template, asStored(sent, method))) {
          template.updatedAt = answer.updated_at;
        }
        return templateView(world, template);
      }),
    };
  },
};

export const removeTemplate: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'DELETE /expense-templates/{id}',
  values: anyTarget,
  attempt: (world, { number, as }) => {
    const template = world.pick(world.templates, number);
    if (!template) return undefined;
    const actor = world.actor(template.owner, as);
    return {
      actor,
      path: `/expense-templates/${template.id}`,
      focus: template,
      faults: when(actor !== template.owner, notFound('expense_template')),
      effect: silently(() => {
        world.change(actor, template, { active: false });
      }),
    };
  },
};
