/** What is compared at the end of a story. */
import { expect } from '@jest/globals';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { Database } from '../../src/database/database.js';
import { IntegrityService } from '../../src/integrity/integrity.service.js';
import { replayProblems } from '../../src/integrity/replay.js';
import { askComments, recordsOf } from './feeds.js';
import { lookAt, lookAtPeople } from './look.js';
import { ask, askCycles, askExpenses, askMethods, askTemplates } from './questions.js';
import { askComparison, askSummary } from './reports.js';
import { recordView } from './views.js';
import { asLogged, type Cycle, type Entity, type User, type World } from './world.js';

/** So few that every longer timeline has several pages. */
const PAGE = 7;

/** Everything that every user has, over HTTP. */
export async function lookAtEverything(world: World): Promise<void> {
  for (const user of world.users) {
    await lookAtPeople(world, user);
    await ask(askMethods(world, user, {}));
    await ask(askTemplates(world, user, {}));
    await ask(askCycles(world, user, { page: 1, per_page: 100 }));
    const cycles = world.cyclesOf(user);
    if (cycles.length > 0) await ask(askComparison(world, user, cycles, undefined));
    for (const cycle of cycles) await lookIntoCycle(world, cycle);
  }
  for (const entity of world.entities) {
    await lookAt(world, entity.owner, entity);
    const { type: entity_type, id: entity_id } = entity;
    const hasComments = world.comments.some(({ target }) => target === entity);
    if (hasComments) await ask(askComments(world, entity.owner, { entity_type, entity_id }, 200));
  }
}

async function lookIntoCycle(world: World, cycle: Cycle): Promise<void> {
  await ask(askExpenses(world, cycle.owner, cycle, {}));
  await ask(askSummary(world, cycle.owner, cycle));
}

/**
 * The activity of every entity, as its owner reads it page by page: it is what happened, in its order and
 * with nothing more; and replayed from nothing it gives the state that the world has, deleted or not, and
 * that was compared with the service's over HTTP.
 */
export async function replayEverything(world: World): Promise<void> {
  for (const entity of world.entities) {
    const { type: entity_type, id: entity_id, owner } = entity;
    const timeline = await walk(
      owner,
      `/activity?entity_type=${entity_type}&entity_id=${entity_id}`,
    );
    const expected = recordsOf(world, owner, { entity_type, entity_id });
    expect(timeline).toEqual(expected.map(recordView));
    expect({ entity_id, problems: replay(entity, timeline) }).toEqual({ entity_id, problems: [] });
  }
}

function replay(entity: Entity, timeline: readonly ActivityResponse[]): string[] {
  const own = timeline.filter(({ action }) => !action.startsWith('comment'));
  return replayProblems(asLogged(entity), own);
}

/** All pages of a feed, oldest first. */
async function walk(reader: User, address: string): Promise<ActivityResponse[]> {
  const found: ActivityResponse[] = [];
  let next: string | undefined = `${address}&limit=${PAGE}`;
  while (next !== undefined) {
    const response = await reader.client.get(next).expect(200);
    found.push(...(response.body as ActivityResponse[]));
    const { link } = response.headers as { link?: string };
    next = link && /^<\/api\/v1(\/activity\?.*)>; rel="next"$/.exec(link)?.[1];
  }
  return found.reverse();
}

/**
 * What an operator's `check` compares, in the database itself: balances, payment states, amounts, deleted
 * cycles, owners, admins, scopes of activity and comments, and every row with the replay of its records.
 */
export async function checkIntegrity({ service }: World): Promise<void> {
  const rules = await new IntegrityService(service.app.get(Database)).check();
  expect(rules.filter(({ found }) => found > 0)).toEqual([]);
  expect(rules.map(({ rule }) => rule)).toContain('replay');
}

/** Soft deletes keep every row, and nothing is stored that nobody made. */
export async function countRows(world: World): Promise<void> {
  const [counts] = await world.service.query(
    `SELECT (SELECT count(*) FROM users)::int AS users,
       (SELECT count(*) FROM payment_methods)::int AS methods,
       (SELECT count(*) FROM expense_templates)::int AS templates,
       (SELECT count(*) FROM cycles)::int AS cycles,
       (SELECT count(*) FROM cycle_expenses)::int AS expenses,
       (SELECT count(*) FROM comments)::int AS comments,
       (SELECT count(*) FROM activity_log)::int AS log`,
  );
  const { users, methods, templates, cycles, expenses, comments, log } = world;
  const lists = { users, methods, templates, cycles, expenses, comments, log };
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])),
  );
}
