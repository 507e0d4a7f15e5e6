// @ts-check
/**
 * `npm run bench -- sign-in [samples]`: tests whether the time of a refused sign-in, or of a request
 * for a new password, reveals an account. Each round sends one request of every kind in random
 * order, so that a slowdown of the machine affects all kinds.
 */
import {
  cumulativeStdNormalProbability,
  median,
  quantile,
  sampleWithReplacement,
  shuffle,
  wilcoxonRankSum,
} from 'simple-statistics';
import { DataSource } from 'typeorm';

/** @param {string} path */
const load = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

/** @type {unknown[]} */
const modules = await Promise.all([load('application.js'), load('platform/config/settings.js')]);
const [{ configureApplication, createApplication }, { IN_MEMORY_DATA_DIR, loadSettings }] =
  /** @type {[typeof import('../src/application.js'), typeof import('../src/platform/config/settings.js')]} */ (
    modules
  );

const PASSWORD = 'correct horse battery';
const ACCOUNTS = 20;
const WARM_UP = 20;
const RESAMPLES = 2000;
/** The probability of a false positive over all comparisons. */
const SIGNIFICANCE = 0.01;

/** Of requests for a new password, before no mail is sent to the account. */
const MAX_RESETS = 5;

/**
 * @typedef {object} Experiment
 * @property {string} title
 * @property {(email: string) => Promise<void>} send
 * @property {Record<string, () => string>} kinds the e-mail of a request by kind, all of the same
 *   length; the first kind is the baseline
 */

/** An e-mail of one of the accounts. @param {string} prefix of five letters */
const oneOf = (prefix) => () => emailOf(prefix, Math.floor(Math.random() * ACCOUNTS));

/** @param {string} prefix @param {number} n */
const emailOf = (prefix, n) => `${prefix}-${String(n).padStart(4, '0')}@example.com`;

let lastReset = 0;
/** Each account so often that it still gets a mail. */
const nextReset = () => emailOf('reset', Math.floor(lastReset++ / MAX_RESETS));

/** @type {Experiment[]} */
const EXPERIMENTS = [
  {
    title: 'sign-ins',
    send: (username) =>
      expectStatus(401, '/api/v1/auth/login', {
        body: new URLSearchParams({ username, password: 'a wrong password' }),
      }),
    kinds: {
      'existing account, wrong password': oneOf('known'),
      'the same kind again': oneOf('known'),
      'unknown e-mail': oneOf('other'),
      'deactivated account, wrong password': oneOf('ended'),
    },
  },
  {
    title: 'requests for a new password',
    send: (email) => expectStatus(202, '/account/password-reset', json({ email })),
    kinds: {
      'existing account, which gets a mail': nextReset,
      'existing account beyond its five': oneOf('known'),
      'the same kind again': oneOf('known'),
      'unknown e-mail': oneOf('other'),
      'deactivated account': oneOf('ended'),
    },
  },
];

const samples = Number(process.argv[2] ?? 400);
const settings = {
  ...loadSettings({
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    LOG_LEVEL: 'error',
  }),
  database: { kind: /** @type {const} */ ('embedded'), dataDir: IN_MEMORY_DATA_DIR },
  mail: { kind: /** @type {const} */ ('print'), print: () => undefined },
};
const app = await createApplication(settings);
await configureApplication(app, settings);
await app.listen(0, '127.0.0.1');
const origin = await app.getUrl();

try {
  await createAccounts();
  for (const experiment of EXPERIMENTS) {
    const times = await measure(experiment);
    if (!report(experiment, times)) process.exitCode = 1;
  }
} finally {
  await app.close();
}

async function createAccounts() {
  const numbers = Array.from({ length: ACCOUNTS }, (_, n) => n);
  const resets = Math.ceil((samples + WARM_UP) / MAX_RESETS);
  for (const email of [
    ...numbers.flatMap((n) => [emailOf('known', n), emailOf('ended', n)]),
    ...Array.from({ length: resets }, (_, n) => emailOf('reset', n)),
  ]) {
    await expectStatus(201, '/api/v1/auth/register', json({ email, password: PASSWORD }));
  }
  await app.get(DataSource).query(`UPDATE users SET active = false WHERE email LIKE 'ended-%'`);
}

/** @param {Experiment} experiment @returns {Promise<Record<string, number[]>>} ms by kind */
async function measure({ send, kinds }) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = -WARM_UP; round < samples; round++) {
    for (const [kind, nextEmail] of shuffle(Object.entries(kinds))) {
      const email = nextEmail();
      const started = performance.now();
      await send(email);
      if (round >= 0) times[kind]?.push(performance.now() - started);
    }
  }
  return times;
}

/** A request with a JSON body. @param {object} body @returns {RequestInit} */
function json(body) {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** @param {number} status @param {string} path @param {RequestInit} request */
async function expectStatus(status, path, request) {
  const response = await fetch(origin + path, { method: 'POST', ...request });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} from ${path}: ${text}`);
}

/**
 * @param {Experiment} experiment @param {Record<string, number[]>} times
 * @returns whether no kind differs from the baseline
 */
function report({ title }, times) {
  const [[name, baseline] = ['', []], ...others] = Object.entries(times);
  const threshold = SIGNIFICANCE / others.length;
  console.log(`\n${samples} ${title} of each kind, in ms\n`);
  printRow('', 'median', 'p5', 'p95', 'difference of medians (95 %)', 'AUC', 'p');
  printRow(name, ...spread(baseline), '', '', '');
  const different = others.filter(([kind, sample]) => {
    const { auc, p } = rankTest(sample, baseline);
    printRow(
      kind,
      ...spread(sample),
      differenceOfMedians(sample, baseline),
      auc.toFixed(3),
      p.toFixed(3),
    );
    return p < threshold;
  });
  console.log(
    '\nAUC: the probability that a request of this kind takes longer than one of the first; 0.5: no difference.',
  );
  console.log(
    different.length === 0
      ? `No significant difference (Mann-Whitney, every p over ${threshold.toFixed(4)}).`
      : `Different from the first kind: ${different.map(([kind]) => kind).join('; ')}.`,
  );
  return different.length === 0;
}

/** @param {string} kind @param {string[]} columns */
function printRow(kind, ...columns) {
  const widths = [8, 8, 8, 30, 8, 8];
  console.log(kind.padEnd(38) + columns.map((text, n) => text.padStart(widths[n] ?? 0)).join(''));
}

/** @param {number[]} sample */
function spread(sample) {
  return [0.5, 0.05, 0.95].map((part) => quantile(sample, part).toFixed(2));
}

/** A bootstrapped interval. @param {number[]} sample @param {number[]} baseline */
function differenceOfMedians(sample, baseline) {
  const resampled = Array.from({ length: RESAMPLES }, () => {
    const [one, other] = [sample, baseline].map((all) =>
      median(sampleWithReplacement(all, all.length)),
    );
    return (one ?? 0) - (other ?? 0);
  });
  const [from = 0, to = 0] = quantile(resampled, [0.025, 0.975]);
  const difference = median(sample) - median(baseline);
  return `${difference.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;
}

/**
 * The two-sided Mann-Whitney U test, with the normal approximation.
 *
 * @param {number[]} sample @param {number[]} baseline
 */
function rankTest(sample, baseline) {
  const [n, m] = [sample.length, baseline.length];
  const u = wilcoxonRankSum(sample, baseline) - (n * (n + 1)) / 2;
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { auc: u / (n * m), p: 2 * (1 - cumulativeStdNormalProbability(Math.abs(z))) };
}
