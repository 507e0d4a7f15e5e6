import { expect, jest } from '@jest/globals';
import { AbstractLogger } from 'typeorm';
import { operationsOf, splitName } from './operations.js';
import { VALID_QUERIES, type SampleEntities } from './sample-entities.js';
import { isPeriodic, sentBatches } from './sent-statements.js';
import type { Service } from './service.js';

/**
 * Those of nobody's rows, and the public ones. `calendar.spec.ts` counts the statements of a
 * calendar, `portability.spec.ts` those of an import, which needs a user without data.
 */
const APART = [
  ...['POST /auth/register', 'POST /auth/login'],
  ...[
    'GET /health',
    'GET /enums',
    'GET /calendar/',
    'GET /account',
    'POST /account/',
    'POST /import',
  ],
];

/** Changes, where an empty body would change nothing. */
export const CHANGES: Record<string, object> = {
  'PUT /auth/me': { first_name: 'Eva' },
  'PUT /payment-methods/{id}': { name: 'Changed' },
  'PUT /budgets/{id}': { name: 'Changed' },
  'PUT /expense-templates/{id}': { description: 'Changed' },
  'PUT /cycles/{id}': { name: 'Changed' },
  'PUT /cycles/{cycle_id}/expenses/{expense_id}': { paid: true },
  'PUT /income-templates/{id}': { description: 'Changed' },
  'PUT /cycles/{cycle_id}/incomes/{income_id}': { received: true },
  'PUT /households/current': { name: 'Changed' },
  'PUT /calendar-feeds/{id}': { name: 'Changed' },
  'PATCH /comments/{id}': { body: 'Changed' },
};

export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Keeps the statements of the data source, without periodic ones. */
export class StatementLogger extends AbstractLogger {
  statements: Statement[] = [];

  override logQuery(sql: string, parameters?: unknown): void {
    if (isPeriodic(sql)) return;
    this.statements.push({ sql, parameters: (parameters ?? []) as unknown[] });
  }

  protected writeLog(): void {
    // Only the statements matter.
  }
}

/**
 * The statements that requests send, however long they take: a user that was read stays cached, so
 * that the end of a body does not read it again.
 */
export async function recordStatements(
  { dataSource }: Service,
  send: () => Promise<unknown>,
): Promise<Statement[]> {
  const recorded = new StatementLogger();
  const { logger } = dataSource;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  dataSource.logger = recorded;
  try {
    await send();
  } finally {
    dataSource.logger = logger;
    clock.mockRestore();
  }
  return recorded.statements;
}

/** These end the session of the request; the second one ends all of the user. */
const ENDS_SESSION = ['POST /auth/logout', 'PUT /auth/me/password'];

/** Deletions after the rest, contents before what contains them; then the end of the session. */
function byDeletion(a: string, b: string): number {
  const rank = (name: string): number =>
    ENDS_SESSION.includes(name)
      ? 1000 + ENDS_SESSION.indexOf(name)
      : name.startsWith('DELETE')
        ? 1000 - name.length
        : 0;
  return rank(a) - rank(b);
}

/**
 * The names of the operations on one's own entities, in an order in which each can be called once.
 */
export const namesOfOperations = (service: Service): string[] =>
  operationsOf(service.app)
    .map(({ name }) => name)
    .filter((name) => !APART.some((prefix) => name.startsWith(prefix)))
    .sort(byDeletion);

/**
 * Calls an operation, and returns its statements after the one that identifies the user, and how
 * often it waits for their results.
 */
export async function statementsOf(
  name: string,
  service: Service,
  { user, fill, sendBody }: SampleEntities,
): Promise<{ statements: Statement[]; waits: number }> {
  const { method, path } = splitName(name);
  const client = ENDS_SESSION.includes(name) ? await user.signInAgain() : user;
  // Reads the user anew with every request, not with some of them.
  await service.invalidateUserCache(user);
  const request = async (): Promise<void> => {
    const sent = client.send(method, fill(path + (VALID_QUERIES[name] ?? '')));
    const changed = CHANGES[name];
    const response = await (method === 'get'
      ? sent
      : changed
        ? sent.send(changed)
        : sendBody(sent, name));
    expect([name, response.status < 300 || response.body]).toEqual([name, true]);
  };
  let batches: string[][] = [];
  const [identified, ...statements] = await recordStatements(service, async () => {
    [, ...batches] = await sentBatches(request);
  });
  expect(identified?.sql).toContain('FROM users');
  return { statements, waits: batches.length };
}
