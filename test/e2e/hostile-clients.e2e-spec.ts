import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nodeVersionWarning } from '../../src/platform/process/node-version.js';
import { Attacker } from '../fuzz/attacker.js';
import { OPERATIONS } from '../fuzz/operations.js';
import { hostileRequests } from '../fuzz/requests.js';
import { signUp } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { useProcesses } from '../support/service-process.js';

/** Little more than the idle heap, so that a leak ends the process. */
const SMALL_HEAP = '--max-old-space-size=128';

describe('the process', () => {
  const processes = useProcesses();

  it('the process survives hostile clients with a small heap and without a failure', async () => {
    const service = await processes.start({
      RATE_LIMIT_ENABLED: 'false',
      LOG_FORMAT: 'json',
      NODE_OPTIONS: SMALL_HEAP,
    });
    const { origin } = service;
    const attacker = new Attacker({
      port: () => Number(new URL(origin).port),
      signUp: () => signUp(origin),
    });
    const anyRequest = fc.oneof(...OPERATIONS.map(hostileRequests));
    await fc.assert(
      fc.asyncProperty(anyRequest, (request) => attacker.send(request)),
      { numRuns: repetitions(60) },
    );
    // An unhandled rejection would have ended the process.
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.stderr).toBe('');
    // Of the version of Node.js alone, where it is an old one.
    expect(problemsIn(service.stdout)).toEqual([nodeVersionWarning()].filter(Boolean));
  }, 3_600_000);
});

/** The messages of a log above the level of information. */
const problemsIn = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: string; message: string })
    .filter(({ level }) => level !== 'info')
    .map(({ message }) => message);
