import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operationsOf } from '../support/operations.js';
import { repetitions } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { checkIntegrity, countRows, checkAllResponses, checkActivity } from './final-checks.js';
import { createInitialModel, loadRates } from './initial-state.js';
import { anyMutation, OPERATIONS } from './mutations.js';

const RUNS = repetitions(10);
const MAX_COMMANDS = 80;

/** Maximum duration, which also bounds the shrinking of a failure. */
const TIME_LIMIT_MS = repetitions(10 * 60_000);

/** Operations that change no data of the model; `sessions.spec.ts` tests them. */
const SESSION_OPERATIONS = [
  'POST /auth/login',
  'POST /auth/refresh',
  'POST /auth/logout',
  'DELETE /auth/sessions/{id}',
];

/** The same; `personal-access-tokens.spec.ts` tests them. */
const TOKEN_OPERATIONS = ['POST /auth/tokens', 'DELETE /auth/tokens/{id}'];

/** Operations that change no data of the model; the tests of accounts test them. */
const ACCOUNT_OPERATIONS = [
  ...['POST /account/password-reset', 'POST /account/password-reset/confirm'],
  ...['POST /account/reminders/confirm', 'POST /account/reminders/unsubscribe'],
];

/** POST operations that change nothing. */
const READ_ONLY = ['POST /occurrences', 'POST /cycles/preview', 'POST /forecast'];

/** Tested in `test/properties/sync.long-spec.ts`, by comparison with generation. */
const MAINTENANCE_OPERATIONS = ['POST /cycles/{id}/sync', 'POST /cycles/{id}/reprice'];

/** Tested in `test/properties/undo.long-spec.ts`, after random requests of every kind. */
const OPERATION_UNDO = ['POST /activity/operations/{operation_id}/undo'];

/** Tested in `test/properties`, by comparison with the exports. */
const FILE_OPERATIONS = ['POST /cycles/{cycle_id}/expenses/import', 'POST /import'];

/** Operations that change no data of the model; `calendar.spec.ts` tests them. */
const CALENDAR_OPERATIONS = [
  'POST /calendar-feeds',
  'PUT /calendar-feeds/{id}',
  'DELETE /calendar-feeds/{id}',
];

/** Tested in `test/properties/balances.long-spec.ts`, by comparison with a slow computation. */
const BALANCE_OPERATIONS = ['POST /balances', 'DELETE /balances/{id}'];

/** Tested in `test/properties/cards.long-spec.ts`, like balances. */
const CARD_OPERATIONS = ['PUT /payment-methods/{id}/statements/{closing_date}'];

const EXCLUDED_OPERATIONS = [
  ...[...BALANCE_OPERATIONS, ...CARD_OPERATIONS],
  ...[...SESSION_OPERATIONS, ...TOKEN_OPERATIONS, ...READ_ONLY, ...MAINTENANCE_OPERATIONS],
  ...[...OPERATION_UNDO, ...FILE_OPERATIONS, ...CALENDAR_OPERATIONS, ...ACCOUNT_OPERATIONS],
];

describe('the service, in random sequences of mutations by several users', () => {
  const service = useService();

  beforeAll(() => loadRates(service));

  it('the service, in random sequences of mutations by several users, is tested with all its mutations', () => {
    const mutations = operationsOf(service.app)
      .filter(({ method }) => method !== 'get')
      .map(({ name }) => name)
      .filter((name) => !EXCLUDED_OPERATIONS.includes(name));
    expect([...OPERATIONS].sort()).toEqual(mutations.sort());
  });

  it(
    'the service, in random sequences of mutations by several users, responds, stores and records like the model of the contract',
    async () => {
      const commandSequence = fc.commands([anyMutation], {
        maxCommands: MAX_COMMANDS,
        size: 'max',
      });
      const property = fc.asyncProperty(commandSequence, async (commands) => {
        const model = await createInitialModel(service);
        await fc.asyncModelRun(() => ({ model: model, real: model }), commands);
        await checkAllResponses(model);
        await checkActivity(model);
        await checkIntegrity(model);
        await countRows(model);
      });
      await fc.assert(property, {
        numRuns: RUNS,
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        markInterruptAsFailure: true,
      });
    },
    2 * TIME_LIMIT_MS,
  );
});
