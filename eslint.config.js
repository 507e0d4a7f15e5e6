// @ts-check
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier/flat';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/**
 * The modules that each module may import, in addition to itself and what all may import (SHARED).
 * Other imports are forbidden.
 *
 * @type {Record<string, string[]>}
 */
const MODULES = {
  users: [],
  households: ['idempotency', 'users'],
  idempotency: ['users'],
  auth: ['households', 'users'],
  accounts: ['auth', 'users'],
  activity: ['users'],
  comments: ['activity', 'idempotency', 'users'],
  'payment-methods': ['activity', 'idempotency', 'users'],
  budgets: ['activity', 'idempotency', 'users'],
  'exchange-rates': ['users'],
  templates: ['payment-methods', 'budgets', 'activity', 'idempotency', 'users'],
  ledger: ['templates', 'exchange-rates', 'payment-methods', 'budgets', 'activity', 'users'],
  // prettier-ignore
  cards: [
    'ledger', 'exchange-rates', 'payment-methods', 'activity', 'idempotency', 'users',
  ],
  // prettier-ignore
  cycles: [
    'incomes', 'expenses', 'cards', 'ledger', 'exchange-rates', 'budgets', 'activity', 'idempotency', 'users',
  ],
  // prettier-ignore
  expenses: [
    'ledger', 'templates', 'exchange-rates', 'payment-methods', 'budgets', 'activity', 'idempotency', 'users',
  ],
  // prettier-ignore
  incomes: [
    'ledger', 'templates', 'exchange-rates', 'payment-methods', 'budgets', 'activity', 'idempotency', 'users',
  ],
  // prettier-ignore
  balances: [
    'expenses', 'incomes', 'cards', 'ledger', 'exchange-rates', 'payment-methods', 'activity', 'idempotency',
    'users',
  ],
  // prettier-ignore
  forecast: ['balances', 'cards', 'ledger', 'templates', 'exchange-rates', 'payment-methods', 'budgets', 'users'],
  changes: ['comments', 'activity', 'users'],
  undo: ['activity', 'ledger', 'idempotency', 'users'],
  calendar: ['cards', 'ledger', 'payment-methods', 'idempotency', 'auth', 'users'],
  // prettier-ignore
  portability: [
    'comments', 'balances', 'cards', 'cycles', 'expenses', 'incomes', 'ledger', 'templates', 'exchange-rates',
    'payment-methods', 'budgets', 'activity', 'idempotency', 'users',
  ],
  'rate-updates': ['ledger', 'exchange-rates'],
  reminders: ['forecast', 'accounts', 'users'],
  reports: ['ledger', 'templates', 'exchange-rates', 'budgets', 'users'],
  system: ['ledger', 'templates', 'payment-methods', 'auth'],
  assistants: ['idempotency', 'users'],
  // prettier-ignore
  operators: [
    'comments', 'calendar', 'reports', 'forecast', 'balances', 'cards', 'cycles', 'expenses', 'incomes', 'ledger',
    'templates', 'exchange-rates', 'payment-methods', 'budgets', 'activity', 'accounts', 'auth', 'households', 'idempotency',
    'rate-updates', 'users', 'migrations', 'application.ts', 'rate-limits.ts', 'schema.ts',
  ],
  errors: ['exchange-rates', 'ledger', 'activity'],
  migrations: [],
  records: [],
  platform: [],
};

/** What all modules may import; of these, `platform` imports itself alone, and `records` also `platform`. */
const SHARED = ['platform', 'records', 'route-decorators.ts'];

/** The classes of responses that others are made of. */
// prettier-ignore
const RESPONSES = [
  'BaseTemplateResponse', 'CalendarFeedResponse', 'ExpensePreview', 'ExpenseResponse', 'IncomePreview',
  'IncomeResponse', 'PersonResponse', 'TokenResponse', 'UserResponse',
];

const unlisted = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !(entry.name in MODULES))
  .map(({ name }) => name);
if (unlisted.length > 0) throw new Error(`Missing in MODULES: ${unlisted.join(', ')}`);

const zones = [
  ...Object.entries(MODULES).map(([module, allowed]) => ({
    // The list of kinds names the classes of all modules.
    target:
      module === 'records' ? './src/records/!(record-kinds|record-services).ts' : `./src/${module}`,
    from: './src',
    except: [...new Set([module, ...(module === 'platform' ? [] : SHARED), ...allowed])].map(
      (name) => `./${name}`,
    ),
    message: `${module} may import: ${[...SHARED, ...allowed].join(', ')}`,
  })),
  {
    target: './libs',
    from: ['./src', './openapi'],
    message: 'A library knows nothing of the service',
  },
  {
    target: './src',
    from: './openapi',
    message: 'The service has no code that makes its document',
  },
  {
    target: ['./src', './openapi'],
    from: './libs/*/!(index|signals).ts',
    message: 'What a library exports is in its index.ts',
  },
  // Pure functions: no framework, no database.
  {
    target: './src/templates/recurrence',
    from: './src',
    // prettier-ignore
    except: [
      './templates/recurrence', './platform/values/calendar-date.ts', './platform/values/weekend-rule.ts',
    ],
    message: 'The recurrence rules depend on dates alone',
  },
  {
    target: './src/!(platform)/**/*.{service,repository,queries}.ts',
    from: './src/platform/http',
    message: 'Services and data access know no HTTP',
  },
];

const REPOSITORIES = {
  regex: String.raw`^(\.\./)+(${Object.keys(MODULES).join('|')})/.*\.(repository|queries)\.js$`,
  allowTypeImports: true,
  message: 'Repositories and queries belong to their module; use its service',
};

/** The functions that read the day from the clock, which READS_CURRENT_DAY may use. */
const CURRENT_DAY = [
  { regex: '/calendar-date\\.js$', importNames: ['todayInUtc'] },
  { regex: '/time-zone\\.js$', importNames: ['todayIn'] },
].map((pattern) => ({ ...pattern, message: 'Use the `today` of the scope or of the user' }));

/** What belongs to no user is by UTC; a requester and a user in a response have their day. */
const READS_CURRENT_DAY = [
  'src/exchange-rates/exchange-rates.service.ts',
  'src/rate-updates/rate-updates.service.ts',
  'src/platform/values/requester.ts',
  'src/users/dto/user.dto.ts',
  'src/operators/sandbox/sandbox-day.ts',
  'src/**/*.spec.ts',
];

export default defineConfig(
  {
    // prettier-ignore
    ignores: [
      'dist', 'coverage', 'data', 'node_modules', 'clients/*/dist', 'clients/*/src/schema.ts',
      // Has its own packages and compiler settings, which `npm run check` uses.
      'examples',
      // They import clients that a test generates.
      'test/generated-clients',
    ],
  },
  {
    files: ['**/*.ts', '**/*.js'],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      importX.flatConfigs.typescript,
    ],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'import-x': /** @type {any} */ (importX) },
    settings: {
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          conditionNames: ['expense-service:source', 'types', 'import', 'default'],
        }),
      ],
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // On below: in tests, responses are plain objects with the types of classes.
      '@typescript-eslint/no-misused-spread': 'off',
      // DTOs are classes for their metadata; in the code they are plain shapes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Nest modules are classes with nothing but a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'import-x/no-cycle': 'error',
      'import-x/order': [
        'error',
        {
          groups: [
            ['builtin', 'external'],
            ['parent', 'sibling', 'index'],
          ],
          pathGroups: [{ pattern: '#*{,/*}', group: 'external', position: 'after' }],
          'newlines-between': 'never',
          alphabetize: { order: 'asc', caseInsensitive: true },
        },
      ],
      'import-x/no-restricted-paths': ['error', { zones }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['src/platform/config/**'],
    rules: {
      // Entities are changed, not spread. Responses are classes for their metadata alone.
      '@typescript-eslint/no-misused-spread': [
        'error',
        { allow: [{ from: 'file', name: RESPONSES }] },
      ],
      'import-x/no-extraneous-dependencies': [
        'error',
        { devDependencies: ['**/*.spec.ts', '**/*.e2e-spec.ts'] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only platform/config reads settings' },
      ],
      'no-restricted-imports': ['error', { patterns: [REPOSITORIES, ...CURRENT_DAY] }],
    },
  },
  {
    files: READS_CURRENT_DAY,
    rules: { 'no-restricted-imports': ['error', { patterns: [REPOSITORIES] }] },
  },
  {
    files: ['clients/typescript/src/**/*.ts'],
    rules: {
      'import-x/no-extraneous-dependencies': ['error', { packageDir: './clients/typescript' }],
    },
  },
  // The unsupported versions of Node.js must be able to parse it.
  {
    files: ['scripts/prepare.cjs'],
    languageOptions: { ecmaVersion: 2015, sourceType: 'commonjs' },
  },
  // Types in JSDoc comments: checked by the compiler, but not recognized by this rule.
  { files: ['**/*.js'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  {
    files: [
      'src/platform/process/**',
      'libs/http-host/signals.ts',
      'src/operators/**',
      'scripts/**',
      'bench/**',
    ],
    rules: { 'no-console': 'off' },
  },
  // The details of errors are plain objects with the types of classes, too.
  { files: ['src/platform/errors/**'], rules: { '@typescript-eslint/no-misused-spread': 'off' } },
  { files: ['src/platform/process/start.ts'], rules: { 'no-restricted-properties': 'off' } },
  prettier,
);
