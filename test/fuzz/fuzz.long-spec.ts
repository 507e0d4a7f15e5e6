import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { IntegrityService } from '../../src/operators/integrity/integrity.service.js';
import { Database } from '../../src/platform/database/database.js';
import { repetitions } from '../support/repetitions.js';
import { useService } from '../support/service.js';
import { Attacker } from './attacker.js';
import { OPERATIONS } from './operations.js';
import { hostileRequests, validRequest } from './requests.js';

describe('a hostile client', () => {
  const service = useService();
  const port = (): number => (service.server.address() as AddressInfo).port;
  const prototypes = [Object.prototype, Array.prototype, Function.prototype];
  const keys = (): string[][] =>
    prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String));
  const keysBefore = keys();
  const attacker = new Attacker({ port, signUp: () => service.signUp() });

  afterAll(() => {
    if (process.env.ATTACK_EFFORT)
      process.stdout.write(`${JSON.stringify([...attacker.responses])}\n`);
  });

  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'a hostile client gets only valid responses from %s',
    async (_name, operation) => {
      await fc.assert(
        fc.asyncProperty(hostileRequests(operation), (request) => attacker.send(request)),
        { numRuns: repetitions(25), examples: [[validRequest(operation)]] },
      );
    },
    600_000,
  );

  it('a hostile client leaves the data consistent and the process healthy', async () => {
    expect(keys()).toEqual(keysBefore);
    const results = await new IntegrityService(service.app.get(Database)).check();
    expect(results.filter(({ problemCount }) => problemCount > 0)).toEqual([]);
  });
});
