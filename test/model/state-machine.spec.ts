import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repetitions } from '../support/effort.js';
import { operationsOf } from '../support/operations.js';
import { useService } from '../support/service.js';
import { beginWorld, loadRates } from './beginning.js';
import { anyMutation, OPERATIONS } from './mutations.js';
import { checkIntegrity, countRows, lookAtEverything, replayEverything } from './whole-world.js';

const RUNS = repetitions(10);
const LONGEST_STORY = 80;

/** A failure is told after at most this long, however many smaller stories were still to be tried. */
const LONGEST_MS = repetitions(10 * 60_000);

describe('the service, through any story of several users', () => {
  const service = useService();

  beforeAll(() => loadRates(service));

  it('has all its mutations in the stories', () => {
    const mutations = operationsOf(service.app)
      .filter(({ method }) => method !== 'get')
      .map(({ name }) => name)
      .filter((name) => name !== 'POST /auth/login');
    expect([...OPERATIONS].sort()).toEqual(mutations.sort());
  });

  it(
    'answers, keeps and records what a model of the contract says',
    async () => {
      const story = fc.commands([anyMutation], { maxCommands: LONGEST_STORY, size: 'max' });
      const isTrue = fc.asyncProperty(story, async (commands) => {
        const world = await beginWorld(service);
        await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
        await lookAtEverything(world);
        await replayEverything(world);
        await checkIntegrity(world);
        await countRows(world);
      });
      await fc.assert(isTrue, {
        numRuns: RUNS,
        interruptAfterTimeLimit: LONGEST_MS,
        markInterruptAsFailure: true,
      });
    },
    2 * LONGEST_MS,
  );
});
