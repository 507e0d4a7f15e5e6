// @ts-check
/**
 * `npm run timing:sign-in [samples]`: tests whether the time of a refused sign-in reveals an
 * account. Each round sends one sign-in of every kind in random order, so that a slowdown of the
 * machine affects all kinds.
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

const BASELINE = 'existing account, wrong password';

/**
 * The e-mail of a sign-in by kind, all of the same length. @type {Record<string, (n: number) =>
 * string>}
 */
const KINDS = {
  [BASELINE]: (n) => `known-${n}@example.com`,
  'the same kind again': (n) => `known-${n}@example.com`,
  'unknown e-mail': (n) => `other-${n}@example.com`,
  'deactivated account, wrong password': (n) => `ended-${n}@example.com`,
};

const samples = Number(process.argv[2] ?? 400);
const settings = {
  ...loadSettings({
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    LOG_LEVEL: 'error',
  }),
  database: { kind: /** @type {const} */ ('embedded'), dataDir: IN_MEMORY_DATA_DIR },
};
const app = await createApplication(settings);
await configureApplication(app, settings);
await app.listen(0, '127.0.0.1');
const api = `${await app.getUrl()}/api/v1`;

try {
  await createAccounts();
  const times = await measure();
  process.exitCode = report(times) ? 0 : 1;
} finally {
  await app.close();
}

async function createAccounts() {
  for (let n = 0; n < ACCOUNTS; n++) {
    for (const email of [`known-${n}@example.com`, `ended-${n}@example.com`]) {
      await expectStatus(201, `${api}/auth/register`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: PASSWORD }),
      });
    }
  }
  await app.get(DataSource).query(`UPDATE users SET active = false WHERE email LIKE 'ended-%'`);
}

/** @returns {Promise<Record<string, number[]>>} milliseconds by kind */
async function measure() {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = -WARM_UP; round < samples; round++) {
    for (const [kind, emailOf] of shuffle(Object.entries(KINDS))) {
      const username = emailOf(Math.floor(Math.random() * ACCOUNTS));
      const started = performance.now();
      await expectStatus(401, `${api}/auth/login`, {
        body: new URLSearchParams({ username, password: 'a wrong password' }),
      });
      if (round >= 0) times[kind]?.push(performance.now() - started);
    }
  }
  return times;
}

/** @param {number} status @param {string} url @param {RequestInit} request */
async function expectStatus(status, url, request) {
  const response = await fetch(url, { method: 'POST', ...request });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} from ${url}: ${text}`);
}

/** @param {Record<string, number[]>} times @returns whether no kind differs from the baseline */
function report(times) {
  const { [BASELINE]: baseline = [], ...others } = times;
  const threshold = SIGNIFICANCE / Object.keys(others).length;
  console.log(`${samples} sign-ins of each kind, in ms\n`);
  printRow('', 'median', 'p5', 'p95', 'difference of medians (95 %)', 'AUC', 'p');
  printRow(BASELINE, ...spread(baseline), '', '', '');
  const different = Object.entries(others).filter(([kind, sample]) => {
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
    '\nAUC: the probability that a sign-in of this kind takes longer than one of the first; 0.5: no difference.',
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
