/** Where every story begins. */
import type { Service } from '../support/service.js';
import { register } from './accounts.js';
import { RATES } from './cents.js';
import { createComment } from './comments.js';
import { createCycle } from './cycles.js';
import { createExpense } from './expenses.js';
import { invite } from './households.js';
import { begin } from './mutation.js';
import { createMethod } from './payment-methods.js';
import { createTemplate } from './templates.js';
import { World, type User } from './world.js';

/** Those that a new database does not have. */
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
 * A household of an admin and a member, and a stranger. Each has a payment method, a template and two
 * cycles; the admin's have the member's questions.
 */
export async function beginWorld(service: Service): Promise<World> {
  await clear(service);
  const world = new World(service);
  const alone = { profile: {}, invitation: undefined, taken: undefined };
  await begin(world, register, alone);
  await begin(world, invite, { actor: 0 });
  await begin(world, register, { ...alone, invitation: 0 });
  await begin(world, register, alone);
  for (const user of world.users) await equip(world, user);
  const [admin] = world.users;
  for (const asked of world.entities.filter(({ owner }) => owner === admin)) {
    const actor = { number: 0, isAnyones: false };
    await begin(world, createComment, {
      actor,
      target: numberOf(world.entities, asked),
      body: '?',
    });
  }
  return world;
}

const numberOf = <Item>(items: readonly Item[], item: Item): number =>
  items.length - 1 - items.indexOf(item);

async function equip(world: World, user: User): Promise<void> {
  const actor = numberOf(world.users, user);
  const method = { number: 0, isAnyones: false };
  const common = { description: 'Luz', currency: 'MXN', method, category: 'fixed' };
  await begin(world, createMethod, {
    ...{ actor, name: 'Card', method_type: 'debit', default_currency: 'USD', description: null },
  });
  await begin(world, createTemplate, {
    actor,
    rule: { type: 'monthly', config: { day_of_month: 31, handle_month_end: true } },
    sent: { ...common, base_amount: '333.33', reference_date: '2025-01-20', autopay_info: null },
  });
  // The later one comes first.
  for (const [name, start_date, length] of [
    ['Spring', '2025-02-03', 41],
    ['Winter', '2025-01-20', 1],
  ] as const) {
    const sent = { name, income_amount: '5000.00', start_date };
    await begin(world, createCycle, { actor, sent, length });
  }
  await begin(world, createExpense, {
    cycle: { number: 1, as: undefined },
    sent: {
      ...{ ...common, currency: 'USD', amount: '100.00', due_date: '2100-01-31' },
      ...{ comments: null, autopay_info: null },
    },
  });
}

/** An empty database, but for the rates: the thousandth story costs no more than the first. */
async function clear({ dataSource }: Service): Promise<void> {
  await dataSource.transaction(async (manager) => {
    // The log refuses it otherwise.
    await manager.query('ALTER TABLE activity_log DISABLE TRIGGER USER');
    await manager.query('TRUNCATE users, households, activity_log, comments CASCADE');
    await manager.query('ALTER TABLE activity_log ENABLE TRIGGER USER');
  });
}
