// @ts-check
/** How far the service is from the limit: on the same data, in the same minutes. */
import { randomBytes } from 'node:crypto';
import { assertIntegrity, withDatabase } from './database.js';
import { operationsOn, pick } from './operations.js';
import { residentMegabytes, startLimit, startService } from './processes.js';
import { assertSameAnswers } from './same-answers.js';
import { takeTurns } from './turns.js';

/**
 * @param {string} serverUrl
 * @param {string} folder
 * @param {import('./options.js').Options} options
 */
export async function compareWithLimit(serverUrl, folder, options) {
  const { users, cycles, expenses } = options;
  const secret = randomBytes(32).toString('hex');
  console.log(`Seeding ${users} users x ${cycles} cycles x ${expenses} expenses ...`);
  const population = { from: 1, to: users, cycles, expenses };
  return withDatabase(serverUrl, [population], async (url) => {
    const env = { DATABASE_URL: url, AUTH_SECRET: secret };
    const nodeOptions = profiling(options.profile);
    const service = await startService({ name: 'service', folder, env, nodeOptions });
    const limit = await startLimit({ folder, env, nodeOptions });
    try {
      const atRest = residentMegabytes(service.pid);
      const operations = operationsOn({ users, cycles, expenses, targets: 2, secret });
      await assertSameAnswers({ service, limit }, operations);
      const outcomes = await takeTurns([service, limit], pick(operations, options.only), options);
      assertIntegrity(url);
      return { outcomes, rss_mb_at_rest: atRest };
    } finally {
      await Promise.all([service.stop(), limit.stop()]);
    }
  });
}

/** @param {string | undefined} folder */
const profiling = (folder) =>
  folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
