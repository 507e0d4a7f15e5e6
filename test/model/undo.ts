import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../../src/activity/changes.js';
import { cents, halfUp, money } from './cents.js';
import { dateFaults, nameFaults as cycleNameFaults } from './cycles.js';
import { CYCLE_COMPLETED, invalid, notFound, when, type Refusal } from './expected-errors.js';
import { recordsOf } from './feeds.js';
import {
  asLogged,
  type Budget,
  type Cycle,
  type Entity,
  type Expense,
  type ExpenseFields,
  type Income,
  type LogRecord,
  type Method,
  type Model,
  type Template,
  type User,
} from './model.js';
import { effect, type Mutation } from './mutation.js';
import { choiceFaults, nameFaults } from './payment-methods.js';
import { anyTarget } from './values.js';
import {
  budgetView,
  cycleView,
  expenseView,
  incomeView,
  methodView,
  templateView,
  UUID,
} from './views.js';

type Values = Record<string, Changes[string]['from']>;

const isDeletable = ({ type }: Entity): boolean => type.startsWith('cycle');

/** What the entity gets back. */
const valuesOf = ({ action, changes }: LogRecord): Values =>
  action === 'created'
    ? { active: false }
    : Object.fromEntries(Object.entries(changes).map(([field, { from }]) => [field, from]));

/** The fields that have another value now than after the record. */
function changedSince(model: Model, { entity, action, changes }: LogRecord): string[] {
  const after = Object.entries(changes).filter(
    ([field]) => action !== 'created' || !['id', 'created_at', 'updated_at'].includes(field),
  );
  const expected = {
    ...(isDeletable(entity) && { active: true }),
    ...Object.fromEntries(after.map(([field, { to }]) => [field, to])),
  };
  const present = asLogged(entity);
  const changed = Object.entries(expected)
    .filter(([field, value]) => !isDeepStrictEqual(present[field] ?? null, value))
    .map(([field]) => field);
  const cycle = model.cycles.find(({ id }) => id === entity.cycleId);
  const isOfDeleted = cycle !== undefined && cycle !== entity && !cycle.fields.active;
  return isOfDeleted ? [...new Set([...changed, 'active'])] : changed;
}

/** Errors of the values that the entity gets back. */
function valueFaults(model: Model, actor: User, { entity }: LogRecord, values: Values): Refusal[] {
  const after = { ...entity.fields, ...values };
  switch (entity.type) {
    case 'payment_method': {
      const method = { ...(entity as Method), fields: after } as Method;
      const name = 'name' in values ? method.fields.name : undefined;
      return nameFaults(model.methodsOf(actor), name, entity as Method);
    }
    case 'budget': {
      const name = 'name' in values ? (after as Budget['fields']).name : undefined;
      return nameFaults(model.budgetsOf(actor), name, entity as Budget);
    }
    case 'cycle': {
      const { fields } = { fields: after } as Cycle;
      const isDated = 'start_date' in values || 'end_date' in values;
      const name = fields.active ? fields.name : undefined;
      return [
        ...(isDated ? dateFaults(fields) : []),
        ...cycleNameFaults(model, actor, name, entity as Cycle),
      ];
    }
    case 'recurrent_expense':
    case 'recurrent_income': {
      const { starts_on: start, ends_on: end, last_amount } = after as Template['fields'];
      const isReversed = start !== null && end !== null && end < start;
      return [
        ...when(isReversed, invalid('ends_on')),
        ...when(last_amount !== null && end === null, invalid('last_amount')),
        ...referenceFaults(model, actor, values),
      ];
    }
    case 'cycle_expense':
    case 'cycle_income':
      return referenceFaults(model, actor, values);
  }
}

const referenceFaults = (
  model: Model,
  actor: User,
  { payment_method_id: method, budget_id: budget }: Values,
): Refusal[] => [
  ...choiceFaults(actor, typeof method === 'string' ? model.methodWithId(method) : null),
  ...choiceFaults(actor, typeof budget === 'string' ? model.budgetWithId(budget) : null),
];

function faultsOf(model: Model, actor: User, record: LogRecord, values: Values): Refusal[] {
  const { entity, action } = record;
  if (entity.owner !== actor) return [notFound('activity_record')];
  const cycle = model.cycles.find(({ id }) => id === entity.cycleId);
  if (cycle?.fields.status === 'completed') return [CYCLE_COMPLETED];
  const conflict = { status: 409, code: 'RESOURCE_CONFLICT' } as const;
  if (action.startsWith('comment')) return [{ ...conflict, details: { resource: 'comment' } }];
  const changed = changedSince(model, record);
  if (changed.length === 0) return valueFaults(model, actor, record, values);
  const fields = Object.fromEntries(
    changed.map((field) => [field, [expect.any(String) as unknown as string]]),
  );
  return [{ ...conflict, details: { resource: entity.type, fields } }];
}

/** Whether another record has changed the conversion since, which the service corrects then. */
function isInconsistent({ entity }: LogRecord, values: Values): boolean {
  if (entity.type !== 'cycle_expense' && entity.type !== 'cycle_income') return false;
  const after = { ...entity.fields, ...values } as unknown as ExpenseFields;
  const rate = BigInt((after.exchange_rate?.rate ?? '1.000000').replace('.', ''));
  return money(halfUp(cents(after.amount) * rate, 1_000_000n)) !== after.amount_usd;
}

/** The entries that were deleted with a cycle, with the record of that. */
function deletedWith(model: Model, cycle: Cycle): [Expense | Income, LogRecord][] {
  const isDeletion = ({ action }: LogRecord): boolean => action === 'deactivated';
  const last = model.log.findLastIndex((one) => one.entity === cycle && isDeletion(one));
  return model.log
    .slice(last + 1)
    .filter((record) => record.entity.cycleId === cycle.id && isDeletion(record))
    .map((record) => [record.entity as Expense | Income, record]);
}

function representation(model: Model, entity: Entity): object | null {
  switch (entity.type) {
    case 'payment_method':
      return methodView(entity as Method);
    case 'budget':
      return budgetView(entity as Budget);
    case 'recurrent_expense':
    case 'recurrent_income':
      return templateView(model, entity as Template);
    case 'cycle':
      return entity.fields.active ? cycleView(model, entity as Cycle) : null;
    case 'cycle_expense':
      return entity.fields.active ? expenseView(model, entity as Expense) : null;
    case 'cycle_income':
      return entity.fields.active ? incomeView(model, entity as Income) : null;
  }
}

/** Takes the values back in the model, with what is deleted or comes back with a cycle. */
function takeBack(model: Model, actor: User, record: LogRecord, values: Values): void {
  const { entity } = record;
  const change = (one: Entity, to: object, undone: LogRecord | undefined): void => {
    model.change<object>(actor, one, to);
    const written = model.log.at(-1);
    if (written) written.undoes = undone;
  };
  if (entity.type !== 'cycle') {
    change(entity, values, record);
    return;
  }
  const wasActive = entity.fields.active;
  const cycle = entity as Cycle;
  const entries = [...model.expenses, ...model.incomes].filter((entry) => entry.cycle === cycle);
  const deleted = wasActive ? [] : deletedWith(model, cycle);
  change(cycle, values, record);
  if (wasActive && !cycle.fields.active) {
    for (const entry of entries.filter(({ fields }) => fields.active)) {
      change(entry, { active: false }, undefined);
    }
  }
  for (const [entry, deletion] of deleted) change(entry, { active: true }, deletion);
}

export const undo: Mutation<{ number: number; as: number | undefined }> = {
  operation: 'POST /activity/{id}/undo',
  values: anyTarget,
  attempt: (model, { number, as }) => {
    const record = model.pick(model.log, number);
    if (!record) return undefined;
    const { entity } = record;
    const actor = model.actor(entity.owner, as);
    const values = valuesOf(record);
    const scope = { entity_type: entity.type, entity_id: entity.id };
    const position = recordsOf(model, entity.owner, scope).indexOf(record);
    if (isInconsistent(record, values)) return undefined;
    return {
      actor,
      path: '/activity',
      findPath: async () => {
        const records = await entity.owner.client.activityOf(entity.type, entity.id);
        return `/activity/${records[position]?.id ?? ''}/undo`;
      },
      focus: entity,
      faults: faultsOf(model, actor, record, values),
      effect: effect(200, () => {
        takeBack(model, actor, record, values);
        return {
          activity_id: expect.stringMatching(UUID) as unknown,
          entity_type: entity.type,
          entity_id: entity.id,
          representation: representation(model, entity),
        };
      }),
    };
  },
};
