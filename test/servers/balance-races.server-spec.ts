import { afterAll, beforeAll, expect } from '@jest/globals';
import { describeBalanceRaces } from '../support/balance-races.js';
import { useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';

const replicas = useReplicas();
let retries: number;

beforeAll(async () => {
  retries = await replicas.retries();
});
afterAll(async () => {
  await replicas.expectIntegrity();
  // A deadlock would be one.
  expect(await replicas.retries()).toBe(retries);
});

describeBalanceRaces(() => replicas.signUp(), repetitions(8));
