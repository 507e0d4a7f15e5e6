// @ts-check
/**
 * How response times grow with the data: the same requests of the same users, in turns, to a service on a small
 * database and to another on a database with 100 times the rows.
 */
import { randomBytes } from 'node:crypto';
import { onConnection, withDatabase } from './database.js';
import { idOf, idSql, WRITER_EVERY } from './identity.js';
import { addCycle, operationsOn, pick, requestsOf } from './operations.js';
import { startService } from './processes.js';
import { takeTurns } from './turns.js';

const TIMES = 100;
/** Users with templates for many expenses. */
const WIDE_USERS = 4;
const WIDE_EXPENSES = 500;
/** The records of one cycle, and the number of newer records before the deep page. */
const DEEP_RECORDS = 100_000;
const DEPTH = 90_000;

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
  const grown = { from: 1, to: users * TIMES, ...size };
  const firstWide = users * TIMES + 1;
  const wide = {
    from: firstWide,
    to: users * TIMES + WIDE_USERS,
    cycles: 1,
    expenses: WIDE_EXPENSES,
  };

  console.log(`Seeding ${users} and ${users * TIMES} users x ${cycles} cycles x ${expenses} ...`);
  return withDatabase(serverUrl, [base], (baseUrl) =>
    withDatabase(serverUrl, [grown, wide], async (grownUrl) => {
      await deepen(grownUrl);
      // Rate limits are off, because few users send very many requests here.
      const env = { AUTH_SECRET: secret, RATE_LIMIT_ENABLED: 'false' };
      const start = (/** @type {string} */ name, /** @type {string} */ url) =>
        startService({ name, folder, env: { ...env, DATABASE_URL: url } });
      const services = [await start('base', baseUrl), await start('grown', grownUrl)];
      try {
        const usual = operationsOn({ users, ...size, targets: 2, secret });
        const outcomes = await takeTurns(services, pick(usual, options.only), options);
        const special = [...feedPages(secret), ...cyclesBySize({ ...options, secret, firstWide })];
        const inside = await takeTurns(services.slice(1), special, options);
        return { outcomes, inside };
      } finally {
        await Promise.all(services.map((service) => service.stop()));
      }
    }),
  );
}

/** Pays an expense of the first writer's first cycle and takes it back, again and again. @param {string} url */
async function deepen(url) {
  const [user, cycle, expense] = [String(WRITER_EVERY), '1', '1'];
  await onConnection(url, async (client) => {
    await client.query(
      `INSERT INTO activity_log
         (id, household_id, entity_type, entity_id, cycle_id, actor_user_id, action, changes)
       SELECT ${idSql('deep record', 'n')}, ${idSql('household', user)}, 'cycle_expense',
         ${idSql('expense', user, cycle, expense)}, ${idSql('cycle', user, cycle)},
         ${idSql('user', user)}, CASE WHEN is_paid THEN 'marked_paid' ELSE 'marked_unpaid' END,
         jsonb_build_object('paid', jsonb_build_object('from', NOT is_paid, 'to', is_paid))
       FROM generate_series(1, $1::int) AS n CROSS JOIN LATERAL (SELECT n % 2 = 1 AS is_paid) AS p
       ORDER BY n`,
      [DEEP_RECORDS],
    );
    await client.query('VACUUM ANALYZE activity_log');
  });
}

/** @param {string} secret @returns {import('./operations.js').Operation[]} */
function feedPages(secret) {
  const { get } = requestsOf(secret);
  const feed = `/activity?cycle_id=${idOf('cycle', WRITER_EVERY, 1)}&limit=50`;
  const deep = `${feed}&before=${idOf('deep record', DEEP_RECORDS - DEPTH)}`;
  return [
    { name: 'activity, first page', request: () => get(WRITER_EVERY, feed) },
    { name: `activity, page after ${DEPTH}`, request: () => get(WRITER_EVERY, deep) },
  ];
}

/**
 * @param {{ users: number, expenses: number, secret: string, firstWide: number }} of
 * @returns {import('./operations.js').Operation[]}
 */
function cyclesBySize({ users, expenses, secret, firstWide }) {
  const writers = Math.floor(users / WRITER_EVERY);
  return [
    addCycle(`add cycle of ${expenses}`, secret, (turn) => ({
      user: WRITER_EVERY * (1 + (turn % writers)),
      cycle: 1,
    })),
    addCycle(`add cycle of ${WIDE_EXPENSES}`, secret, (turn) => ({
      user: firstWide + (turn % WIDE_USERS),
      cycle: 1,
    })),
  ];
}
