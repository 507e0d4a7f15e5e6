// @ts-check
import { importX } from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import prettier from 'eslint-config-prettier/flat';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Which rooms a room may look into, beside itself and the ground floor. Arrows go one way; what is
 * not named is forbidden.
 *
 * @type {Record<string, string[]>}
 */
const ROOMS = {
  users: [],
  households: ['users'],
  auth: ['households', 'users'],
  'rate-limits': ['auth', 'users'],
  activity: ['users'],
  comments: ['activity', 'users'],
  'exchange-rates': [],
  'payment-methods': ['activity', 'users'],
  templates: ['payment-methods', 'activity', 'users'],
  cycles: ['templates', 'payment-methods', 'exchange-rates', 'activity', 'users'],
  reports: ['cycles', 'payment-methods', 'users'],
  system: ['cycles', 'templates', 'payment-methods', 'rate-limits', 'auth'],
  expenses: ['cycles', 'payment-methods', 'exchange-rates', 'activity', 'users'],
  backup: [],
  integrity: ['cycles', 'templates', 'payment-methods', 'activity', 'users'],
  cli: ['backup', 'integrity', 'demo', 'exchange-rates', 'households', 'auth', 'users'],
};

/** What every room stands on, and what that may look into. */
const GROUND = {
  common: [],
  config: ['common'],
  observability: ['common', 'config'],
  database: ['common', 'config', 'observability'],
};

const groundFloor = Object.keys(GROUND);
const allRooms = Object.keys(ROOMS);

const zones = [
  ...Object.entries(ROOMS).map(([room, allowed]) => ({
    target: `./src/${room}`,
    from: './src',
    except: [room, ...groundFloor, ...allowed].map((name) => `./${name}`),
    message: `${room} may look into: ${[...groundFloor, ...allowed].join(', ')}`,
  })),
  ...Object.entries(GROUND).map(([room, allowed]) => ({
    target: `./src/${room}/**/!(data-source).ts`,
    from: './src',
    except: [room, ...allowed].map((name) => `./${name}`),
    message: `${room} is below the rooms and knows none of them`,
  })),
  // Pure functions: no framework, no database.
  {
    target: './src/templates/recurrence',
    from: './src',
    except: ['./templates/recurrence', './common/calendar-date.ts'],
    message: 'recurrence is a function of dates alone',
  },
];

export default defineConfig(
  { ignores: ['dist', 'dist.next', 'coverage', 'data', 'node_modules'] },
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
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // DTOs and entities are classes for their metadata; in the code they are plain shapes.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Nest modules are classes with nothing but a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read in config/ alone' },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: String.raw`^(\.\./)+(${allRooms.join('|')})/.*\.repository\.js$`,
              allowTypeImports: true,
              message: "A module's repository is its own; use its service",
            },
          ],
        },
      ],
    },
  },
  // Types in comments: the compiler checks them, this rule does not see them.
  { files: ['**/*.js'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  {
    files: [
      'src/start.ts',
      'src/signals.ts',
      'src/cli/**',
      'src/demo/**',
      'scripts/**',
      'bench/**',
    ],
    rules: { 'no-console': 'off' },
  },
  { files: ['src/start.ts'], rules: { 'no-restricted-properties': 'off' } },
  prettier,
);
