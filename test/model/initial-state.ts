/** Creates the initial state of every run. */
import type { Service } from '../support/service.js';
import { register } from './accounts.js';
import { createBudget } from './budgets.js';
import { RATES } from './cents.js';
import { createComment } from './comments.js';
import { createCycle } from './cycles.js';
import { createExpense } from './expenses.js';
import { invite } from './households.js';
import { createIncome } from './incomes.js';
import { Model, type User } from './model.js';
import { runSetupStep } from './mutation.js';
import { createMethod } from './payment-methods.js';
import { expenseTemplates, incomeTemplates } from './templates.js';

/** Inserts the exchange rates that a new database does not have. */
export async function loadRates(service: Service): Promise<void> {
  for (const { from, millionths } of RATES.slice(1)) {
    await service.query(
      `INSERT INTO exchange_rates (from_currency, to_currency, rate, rate_date)
       VALUES ('MXN', 'USD', $1::numeric / 1000000, $2)`,
      [String(millionths), from],
    );
  }
}

/**
 * A household of an admin and a member, and a user of another household. Each has a payment method,
 * a budget, templates and two cycles; the member has commented on the admin's entities.
 */
export async function createInitialModel(service: Service): Promise<Model> {
  await clear(service);
  const model = new Model(service);
  const alone = { profile: {}, invitation: undefined, taken: undefined };
  await runSetupStep(model, register, alone);
  await runSetupStep(model, invite, { actor: 0 });
  await runSetupStep(model, register, { ...alone, invitation: 0 });
  await runSetupStep(model, register, alone);
  for (const user of model.users) await createEntities(model, user);
  const [admin] = model.users;
  const commentable = model.entities.filter(({ type }) => type !== 'budget');
  for (const entity of commentable.filter(({ owner }) => owner === admin)) {
    const actor = { number: 0, isFromAll: false };
    await runSetupStep(model, createComment, {
      actor,
      target: numberOf(model.entities, entity),
      body: '?',
    });
  }
  return model;
}

const numberOf = <Item>(items: readonly Item[], item: Item): number =>
  items.length - 1 - items.indexOf(item);

async function createEntities(model: Model, user: User): Promise<void> {
  const actor = numberOf(model.users, user);
  const method = { number: 0, isFromAll: false };
  const common = { description: 'Luz', currency: 'MXN', method, category: 'fixed' };
  await runSetupStep(model, createMethod, {
    ...{ actor, name: 'Card', method_type: 'debit', default_currency: 'USD', description: null },
  });
  await runSetupStep(model, createBudget, { actor, name: 'Despensa', limit: '400.00' });
  await runSetupStep(model, expenseTemplates.create, {
    actor,
    rule: { type: 'monthly', config: { day_of_month: 31, handle_month_end: true } },
    sent: {
      ...{ ...common, budget: method },
      ...{ base_amount: '333.33', amount_changes: [], last_amount: null, skipped_dates: [] },
      reference_date: '2025-01-20',
      autopay_info: null,
      starts_on: null,
      ends_on: null,
      weekend_rule: 'after',
    },
  });
  await runSetupStep(model, incomeTemplates.create, {
    actor,
    rule: { type: 'bi_weekly', config: { interval_days: 14 } },
    sent: {
      ...{ description: 'Pay', currency: 'USD', method: null, budget: null, base_amount: '700.00' },
      ...{ amount_changes: [], last_amount: null, skipped_dates: [] },
      ...{ reference_date: '2025-01-03', starts_on: null, ends_on: null, weekend_rule: 'keep' },
    },
  });
  // The later cycle first.
  for (const [name, start_date, length] of [
    ['Spring', '2025-02-03', 41],
    ['Winter', '2025-01-20', 1],
  ] as const) {
    const sent = { name, income_amount: '5000.00', start_date };
    await runSetupStep(model, createCycle, { actor, sent, length });
  }
  await runSetupStep(model, createExpense, {
    cycle: { number: 1, as: undefined },
    sent: {
      ...{ ...common, currency: 'USD', amount: '100.00', due_date: '2100-01-31', budget: null },
      ...{ comments: null, autopay_info: null },
    },
    requested: {},
  });
  await runSetupStep(model, createIncome, {
    cycle: { number: 1, as: undefined },
    sent: {
      ...{ description: 'Refund', currency: 'MXN', amount: '500.00', method: null },
      ...{ budget: method, income_date: '2025-02-10', comments: null },
    },
    requested: {},
  });
}

/** Deletes all data except the rates, so that later runs are as fast as the first. */
async function clear({ dataSource }: Service): Promise<void> {
  await dataSource.transaction(async (manager) => {
    // A trigger refuses deletions from the activity log. Citus accepts the statements with these
    // settings only.
    await manager.query('SET LOCAL citus.enable_unsafe_triggers TO on');
    await manager.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    await manager.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
    await manager.query('TRUNCATE users, households, activity_log, comments CASCADE');
    await manager.query('ALTER TABLE activity_log ENABLE TRIGGER USER');
  });
}
