// Fewer random cases, because they run for every mutant.
process.env.ATTACK_EFFORT ??= '0.1';

/**
 * Mutation testing of pure functions, which need neither a database nor a framework; their tests
 * are fast, so each mutant runs all of them.
 */
export default {
  mutate: [
    'src/activity/changes.ts',
    'src/activity/mutation.ts',
    'src/platform/values/calendar-date.ts',
    'src/platform/values/money.ts',
    'src/platform/values/time-zone.ts',
    'src/operators/cli/text-table.ts',
    'src/ledger/entities/expense-status.ts',
    'src/ledger/entities/income-receipt.ts',
    'src/calendar/icalendar.ts',
    'src/exchange-rates/conversion.ts',
    'src/exchange-rates/coverage.ts',
    'src/exchange-rates/rates-file.ts',
    'src/operators/integrity/replay.ts',
    'src/platform/logging/trace-context.ts',
    'src/reports/trend.ts',
    'src/templates/recurrence/recurrence.ts',
  ],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    configFile: 'test/jest/mutation.config.js',
  },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  thresholds: { high: 100, low: 95, break: 90 },
  reporters: ['progress', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'coverage/mutation/report.html' },
  tempDirName: 'coverage/mutation/sandbox',
  cleanTempDir: 'always',
  ignorePatterns: ['coverage', 'data', 'tools', 'dist', 'bench/results'],
};
