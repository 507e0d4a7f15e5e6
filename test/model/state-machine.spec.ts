import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repetitions } from '../support/repetitions.js';
import { operationsOf } from '../support/operations.js';
import { useService } from '../support/service.js';
import { createInitialModel, loadRates } from './initial-state.js';
import { anyMutation, OPERATIONS } from './mutations.js';
import { checkIntegrity, countRows, checkAllResponses, replayEverything } from './final-checks.js';

const RUNS = repetitions(10);
const MAX_COMMANDS = 80;

/** Maximum duration, which also bounds the shrinking of a failure. */
const TIME_LIMIT_MS = repetitions(10 * 60_000);

/** Operations that change no data of the model; `sessions.spec.ts` tests them. */
const ABOUT_SESSIONS = [
  'POST /auth/login',
  'POST /auth/refresh',
  'POST /auth/logout',
  'DELETE /auth/sessions/{id}',
];

/** They change nothing. */
const READ_ONLY = ['POST /occurrences', 'POST /cycles/preview'];

/** `test/properties/sync.spec.ts` compares them with generation. */
const ABOUT_PLANNING = ['POST /cycles/{id}/sync', 'POST /cycles/{id}/reprice'];

/** `test/properties/expense-csv.spec.ts` compares it with the export. */
const ABOUT_FILES = ['POST /cycles/{cycle_id}/expenses/import'];

/** They change nothing of the model; `calendar.spec.ts` tests them. */
const ABOUT_CALENDARS = ['POST /calendar-feeds', 'DELETE /calendar-feeds/{id}'];

const OTHERS = [
  ...[...ABOUT_SESSIONS, ...READ_ONLY, ...ABOUT_PLANNING],
  ...[...ABOUT_FILES, ...ABOUT_CALENDARS],
];

describe('the service, in random sequences of mutations by several users', () => {
  const service = useService();

  beforeAll(() => loadRates(service));

  it('is tested with all its mutations', () => {
    const mutations = operationsOf(service.app)
      .filter(({ method }) => method !== 'get')
      .map(({ name }) => name)
      .filter((name) => !OTHERS.includes(name));
    expect([...OPERATIONS].sort()).toEqual(mutations.sort());
  });

  it(
    'responds, stores and records like the model of the contract',
    async () => {
      const commandSequence = fc.commands([anyMutation], {
        maxCommands: MAX_COMMANDS,
        size: 'max',
      });
      const isTrue = fc.asyncProperty(commandSequence, async (commands) => {
        const model = await createInitialModel(service);
        await fc.asyncModelRun(() => ({ model: model, real: model }), commands);
        await checkAllResponses(model);
        await replayEverything(model);
        await checkIntegrity(model);
        await countRows(model);
      });
      await fc.assert(isTrue, {
        numRuns: RUNS,
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        markInterruptAsFailure: true,
      });
    },
    2 * TIME_LIMIT_MS,
  );
});
