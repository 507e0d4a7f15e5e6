// @ts-check
/** Compares the service with the baseline, on the same data and in turns. */
import { randomBytes } from 'node:crypto';
import { assertIntegrity, withDatabase } from './database.js';
import { operationsOn, pick } from './operations.js';
import { residentMegabytes, startBaseline, startService, stopAll } from './processes.js';
import { assertSameResponses } from './same-responses.js';
import { measureInTurns } from './turns.js';

/** @typedef {import('./processes.js').Target} Target */

/**
 * @param {string} serverUrl
 * @param {string} folder
 * @param {import('./options.js').Options} options
 */
export async function compareWithBaseline(serverUrl, folder, options) {
  const { users, cycles, expenses } = options;
  const secret = randomBytes(32).toString('hex');
  console.log(`Seeding ${users} users x ${cycles} cycles x ${expenses} expenses ...`);
  const population = { from: 1, to: users, cycles, expenses };
  return withDatabase(serverUrl, [population], async (url) => {
    const env = { DATABASE_URL: url, AUTH_SECRET: secret };
    const nodeOptions = profiling(options.profile);
    const start = () => startService({ name: 'service', folder, env, nodeOptions });
    /** @returns {Promise<[Target, Target]>} */
    const startBoth = async () => [
      await start(),
      await startBaseline({ folder, env, nodeOptions }),
    ];
    const operations = operationsOn({ users, cycles, expenses, targets: 2, secret });
    const { compared, serviceOnly } = pick(operations, options.only);
    const [service, baseline] = await startBoth();
    const atRest = residentMegabytes(service.pid);
    try {
      await assertSameResponses({ service, baseline }, operations);
    } finally {
      await stopAll([service, baseline]);
    }
    const outcomes = await measureInTurns(startBoth, compared, options);
    const others = await measureInTurns(async () => [await start()], serviceOnly, options);
    assertIntegrity({ DATABASE_URL: url });
    return { outcomes, others, rss_mb_at_rest: atRest };
  });
}

/** @param {string | undefined} folder */
const profiling = (folder) =>
  folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
