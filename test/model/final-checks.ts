/** Comparisons at the end of a run. */
import { expect } from '@jest/globals';
import type { ActivityResponse } from '../../src/activity/dto/activity.dto.js';
import { IntegrityService } from '../../src/operators/integrity/integrity.service.js';
import { replayProblems } from '../../src/operators/integrity/replay.js';
import { Database } from '../../src/platform/database/database.js';
import {
  checkResponse,
  expectedBudgets,
  expectedCycles,
  expectedExpenses,
  expectedIncomes,
  expectedMethods,
  expectedTemplates,
} from './expected-responses.js';
import { expectedComments, recordsOf } from './feeds.js';
import { asLogged, type Cycle, type Entity, type User, type Model } from './model.js';
import { expectedBudgetReport, expectedComparison, expectedSummary } from './reports.js';
import { checkEntity, checkUsers } from './step-checks.js';
import { recordView } from './views.js';

/** Small, so that longer feeds have several pages. */
const PAGE_SIZE = 7;

/** Compares all responses for every user with the model. */
export async function checkAllResponses(model: Model): Promise<void> {
  for (const user of model.users) {
    await checkUsers(model, user);
    await checkResponse(expectedMethods(model, user, {}));
    await checkResponse(expectedBudgets(model, user, {}));
    await checkResponse(expectedTemplates(model, 'recurrent_expense', user, {}));
    await checkResponse(expectedTemplates(model, 'recurrent_income', user, {}));
    await checkResponse(expectedCycles(model, user, { page: 1, per_page: 100 }));
    const cycles = model.cyclesOf(user);
    if (cycles.length > 0) {
      await checkResponse(expectedComparison(model, user, cycles, undefined));
      await checkResponse(expectedBudgetReport(model, user, cycles));
    }
    for (const cycle of cycles) await checkCycle(model, cycle);
  }
  for (const entity of model.entities) {
    await checkEntity(model, entity.owner, entity);
    const { type: entity_type, id: entity_id } = entity;
    const hasComments = model.comments.some(({ target }) => target === entity);
    if (hasComments)
      await checkResponse(expectedComments(model, entity.owner, { entity_type, entity_id }, 200));
  }
}

async function checkCycle(model: Model, cycle: Cycle): Promise<void> {
  await checkResponse(expectedExpenses(model, cycle.owner, cycle, {}));
  await checkResponse(expectedIncomes(model, cycle.owner, cycle, {}));
  await checkResponse(expectedSummary(model, cycle.owner, cycle));
}

/**
 * Reads the activity of every entity page by page and compares it with the records of the model;
 * then replays the records and compares the result with the entity in the model, which was compared
 * with the service before.
 */
export async function checkActivity(model: Model): Promise<void> {
  for (const entity of model.entities) {
    const { type: entity_type, id: entity_id, owner } = entity;
    const logged = await readAllPages(
      owner,
      `/activity?entity_type=${entity_type}&entity_id=${entity_id}`,
    );
    const expected = recordsOf(model, owner, { entity_type, entity_id });
    expect(logged).toEqual(expected.map(recordView));
    expect({ entity_id, problems: replay(entity, logged) }).toEqual({ entity_id, problems: [] });
  }
}

function replay(entity: Entity, logged: readonly ActivityResponse[]): string[] {
  const own = logged.filter(({ action }) => !action.startsWith('comment'));
  return replayProblems(asLogged(entity), own);
}

/** All pages of a feed, oldest first. */
async function readAllPages(reader: User, address: string): Promise<ActivityResponse[]> {
  const found: ActivityResponse[] = [];
  let next: string | undefined = `${address}&limit=${PAGE_SIZE}`;
  while (next !== undefined) {
    const response = await reader.client.get(next).expect(200);
    found.push(...(response.body as ActivityResponse[]));
    const { link } = response.headers as { link?: string };
    next = link && /^<\/api\/v1(\/activity\?.*)>; rel="next"$/.exec(link)?.[1];
  }
  return found.reverse();
}

/**
 * Runs the operators' `check`: balances, payment states, amounts, deleted cycles, owners, admins,
 * scopes of activity and comments, and every row against the replay of its records.
 */
export async function checkIntegrity({ service }: Model): Promise<void> {
  const rules = await new IntegrityService(service.app.get(Database)).check();
  expect(rules.filter(({ problemCount }) => problemCount > 0)).toEqual([]);
  expect(rules.map(({ rule }) => rule)).toContain('replay');
}

/** Compares the number of rows: soft deletes keep every row, and no other rows are created. */
export async function countRows(model: Model): Promise<void> {
  const [counts] = await model.service.query(
    `SELECT (SELECT count(*) FROM users)::int AS users,
       (SELECT count(*) FROM payment_methods)::int AS methods,
       (SELECT count(*) FROM budgets)::int AS budgets,
       ((SELECT count(*) FROM expense_templates)
         + (SELECT count(*) FROM income_templates))::int AS templates,
       (SELECT count(*) FROM cycles)::int AS cycles,
       (SELECT count(*) FROM cycle_expenses)::int AS expenses,
       (SELECT count(*) FROM cycle_incomes)::int AS incomes,
       (SELECT count(*) FROM comments)::int AS comments,
       (SELECT count(*) FROM activity_log)::int AS log`,
  );
  const { users, methods, budgets, templates, cycles, expenses, incomes, comments, log } = model;
  const lists = { users, methods, budgets, templates, cycles, expenses, incomes, comments, log };
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])),
  );
}
