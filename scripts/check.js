/** `npm run check`: the checks that need no tests. Ends with the first that fails. */
import { spawnSync } from 'node:child_process';

const CHECKS = {
  formatting: 'prettier --check .',
  lint: 'eslint . --max-warnings 0',
  types: 'tsc --noEmit',
  'OpenAPI document':
    'node scripts/prepare.cjs tools && tools/node_modules/.bin/redocly lint --config tools/redocly.yaml docs/openapi.json',
  'TypeScript client':
    'node scripts/prepare.cjs clients/typescript && npm run -s check --prefix clients/typescript',
  'example front end':
    'npm run -s client:build && node scripts/prepare.cjs examples/web && npm run -s check --prefix examples/web',
  migrations: 'typeorm migration:generate -d dist/ormconfig.js --check src/migrations/Drift',
};

const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
for (const [name, command] of Object.entries(CHECKS)) {
  console.log(`--- ${name}`);
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env });
  if (status !== 0) process.exit(1);
}
