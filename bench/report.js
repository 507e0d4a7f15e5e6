// @ts-check
/** Prints the results, and writes them as JSON. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { median, quantile } from 'simple-statistics';
import { ratiosOfRounds } from './turns.js';

/** @typedef {import('./turns.js').Outcome} Outcome */

/**
 * The results of both servers, and the ratio of the service to the baseline in a round. @param
 * {Outcome[]} outcomes
 */
export function printComparison(outcomes) {
  printTable(
    [
      '',
      'service',
      'baseline',
      'ratio',
      '25 %',
      '75 %',
      'p50 ms',
      'baseline',
      'p99 ms',
      'baseline',
      'CPU ms',
      'baseline',
      'MB',
      'baseline',
    ],
    outcomes.map((outcome) => {
      const { service, baseline } = outcome.targets;
      const ratios = ratiosOfRounds(outcome, 'service', 'baseline', 'requests_per_second');
      return [
        outcome.operation,
        fixed(service?.requests_per_second, 0),
        fixed(baseline?.requests_per_second, 0),
        fixed(median(ratios), 2),
        fixed(quantile(ratios, 0.25), 2),
        fixed(quantile(ratios, 0.75), 2),
        fixed(service?.p50_ms, 2),
        fixed(baseline?.p50_ms, 2),
        fixed(service?.p99_ms, 2),
        fixed(baseline?.p99_ms, 2),
        fixed(service?.cpu_ms, 2),
        fixed(baseline?.cpu_ms, 2),
        fixed(service?.rss_mb, 0),
        fixed(baseline?.rss_mb, 0),
      ];
    }),
  );
  console.log(
    'service, baseline: requests per second, medians of the rounds; ratio: of a round, median and quartiles;\n' +
      'CPU: of the server process, per request; MB: resident.',
  );
}

/**
 * The results of the operations that the baseline does not implement. @param {Outcome[]} outcomes
 */
export function printServiceOnly(outcomes) {
  printTable(
    ['service only', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms'],
    outcomes.map(({ operation, targets: { service } }) => [
      operation,
      fixed(service?.requests_per_second, 0),
      fixed(service?.p50_ms, 2),
      fixed(service?.p99_ms, 2),
      fixed(service?.cpu_ms, 2),
    ]),
  );
}

/** @param {{ outcomes: Outcome[], inside: Outcome[] }} growth */
export function printGrowth({ outcomes, inside }) {
  printTable(
    ['', 'base p50 ms', 'grown p50 ms', 'ratio'],
    outcomes.map((outcome) => [
      outcome.operation,
      fixed(outcome.targets.base?.p50_ms, 2),
      fixed(outcome.targets.grown?.p50_ms, 2),
      fixed(median(ratiosOfRounds(outcome, 'grown', 'base', 'p50_ms')), 2),
    ]),
  );
  printTable(
    ['on the grown data', 'p50 ms', 'ms per item'],
    inside.map(({ operation, targets: { grown } }) => {
      const [, items] = / of (\d+)$/.exec(operation) ?? [];
      const perItem = items === undefined ? undefined : (grown?.p50_ms ?? NaN) / Number(items);
      return [operation, fixed(grown?.p50_ms, 2), fixed(perItem, 3)];
    }),
  );
}

/** @param {Record<'first_start' | 'next_start', { start_ms: number, rss_mb: number }>} embedded */
export function printEmbedded(embedded) {
  for (const [name, { start_ms, rss_mb }] of Object.entries(embedded)) {
    const start = name.replace('_', ' ');
    console.log(`Embedded engine, ${start}: ready after ${start_ms} ms, ${rss_mb} MB when idle`);
  }
}

/** @param {string} file @param {object} results */
export function writeResults(file, results) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...environment(), ...results }, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

/** The commit and the machine, without which results cannot be compared. */
function environment() {
  const git = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' });
  return {
    at: new Date().toISOString(),
    commit: git.trim(),
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    cpus: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
    memory_gb: Math.round(totalmem() / 2 ** 30),
  };
}

/** @param {number | undefined} value @param {number} digits */
const fixed = (value, digits) => value?.toFixed(digits) ?? '';

/** @param {string[]} head @param {string[][]} rows */
export function printTable(head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  console.log();
  for (const line of lines) {
    const [first = '', ...cells] = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log([first, ...cells].join('  '));
  }
}
