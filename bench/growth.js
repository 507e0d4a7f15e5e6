// @ts-check
/**
 * How response times grow with the data: the same requests of the same users, in turns, to a
 * service on a small database and to another on a database with 100 times the rows.
 */
import { randomBytes } from 'node:crypto';
import { onConnection, withDatabase } from './database.js';
import { idOf, idSql, WRITER_EVERY } from './identity.js';
import { addCycle, operationsOn, pick, requestsOf } from './operations.js';
import { startService } from './processes.js';
import { measureInTurns } from './turns.js';

const GROWTH_FACTOR = 100;
/**
 * Users whose templates generate many expenses in a cycle: so many that none reaches the limit on
 * cycles.
 */
const LARGE_CYCLE_USERS = 20;
const LARGE_CYCLE_EXPENSES = 500;
/** The activity records of one cycle, and the number of them before the later page. */
const FEED_RECORDS = 100_000;
const NEWER_RECORDS = 90_000;

/**
 * @param {string} serverUrl
 * @param {string} folder
 * @param {import('./options.js').Options} options
 */
export async function measureGrowth(serverUrl, folder, options) {
  const { users, cycles, expenses } = options;
  const secret = randomBytes(32).toString('hex');
  const size = { cycles, expenses };
  const base = { from: 1, to: users, ...size };
  const grown = { from: 1, to: users * GROWTH_FACTOR, ...size };
  const firstLargeUser = users * GROWTH_FACTOR + 1;
  const largeCycles = {
    from: firstLargeUser,
    to: users * GROWTH_FACTOR + LARGE_CYCLE_USERS,
    cycles: 1,
    expenses: LARGE_CYCLE_EXPENSES,
  };

  console.log(
    `Seeding ${users} and ${users * GROWTH_FACTOR} users x ${cycles} cycles x ${expenses} ...`,
  );
  return withDatabase(serverUrl, [base], (baseUrl) =>
    withDatabase(serverUrl, [grown, largeCycles], async (grownUrl) => {
      await addActivityRecords(grownUrl);
      // Rate limits are off, because few users send very many requests here.
      const env = { AUTH_SECRET: secret, RATE_LIMIT_ENABLED: 'false' };
      const start = (/** @type {string} */ name, /** @type {string} */ url) =>
        startService({ name, folder, env: { ...env, DATABASE_URL: url } });
      const startGrown = () => start('grown', grownUrl);
      const startBoth = async () => [await start('base', baseUrl), await startGrown()];
      const measured = operationsOn({ users, ...size, targets: 2, secret });
      const { compared, serviceOnly } = pick(measured, options.only);
      const outcomes = await measureInTurns(startBoth, [...compared, ...serviceOnly], options);
      const otherOperations = [
        ...feedPages(secret),
        ...cyclesBySize({ ...options, secret, firstLargeUser }),
      ];
      const inside = await measureInTurns(
        async () => [await startGrown()],
        otherOperations,
        options,
      );
      return { outcomes, inside };
    }),
  );
}

/**
 * Adds the records of many payments and reversals of one expense of the first writer's first cycle.
 * @param {string} url
 */
async function addActivityRecords(url) {
  const [user, cycle, expense] = [String(WRITER_EVERY), '1', '1'];
  await onConnection(url, async (client) => {
    await client.query(
      `INSERT INTO activity_log
         (id, household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes)
       SELECT ${idSql('feed record', 'n')}, ${idSql('household', user)}, 'cycle_expense',
         ${idSql('expense', user, cycle, expense)}, ${idSql('cycle', user, cycle)},
         ${idSql('user', user)}, CASE WHEN is_paid THEN 'marked_paid' ELSE 'marked_unpaid' END,
         jsonb_build_object('paid', jsonb_build_object('from', NOT is_paid, 'to', is_paid))
       FROM generate_series(1, $1::int) AS n CROSS JOIN LATERAL (SELECT n % 2 = 1 AS is_paid) AS p
       ORDER BY n`,
      [FEED_RECORDS],
    );
    await client.query('VACUUM ANALYZE activity_log');
  });
}

/** @param {string} secret @returns {import('./operations.js').Operation[]} */
function feedPages(secret) {
  const { get } = requestsOf(secret);
  const feed = `/activity?cycle_id=${idOf('cycle', WRITER_EVERY, 1)}&limit=50`;
  const laterPage = `${feed}&before=${idOf('feed record', FEED_RECORDS - NEWER_RECORDS)}`;
  return [
    { name: 'activity, first page', request: () => get(WRITER_EVERY, feed) },
    { name: `activity, page after ${NEWER_RECORDS}`, request: () => get(WRITER_EVERY, laterPage) },
  ];
}

/**
 * @param {{ users: number, expenses: number, secret: string, firstLargeUser: number }} of
 * @returns {import('./operations.js').Operation[]}
 */
function cyclesBySize({ users, expenses, secret, firstLargeUser }) {
  const writers = Math.floor((users * GROWTH_FACTOR) / WRITER_EVERY);
  return [
    addCycle(`add cycle of ${expenses}`, secret, (turn) => ({
      user: WRITER_EVERY * (1 + (turn % writers)),
      cycle: 1,
    })),
    addCycle(`add cycle of ${LARGE_CYCLE_EXPENSES}`, secret, (turn) => ({
      user: firstLargeUser + (turn % LARGE_CYCLE_USERS),
      cycle: 1,
    })),
  ];
}
