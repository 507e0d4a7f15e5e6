import { afterEach, beforeEach, expect } from '@jest/globals';
import { describeCardRaces } from '../support/card-races.js';
import { useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';

const replicas = useReplicas();
let retries: number;

beforeEach(async () => {
  retries = await replicas.retries();
});
afterEach(async () => {
  await replicas.expectIntegrity();
  // A deadlock would be one.
  expect(await replicas.retries()).toBe(retries);
});

describeCardRaces(() => replicas.signUp(), repetitions(8));
