// @ts-check
/** Records the examples of the OpenAPI document from the service, into fixtures/examples.json. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npm run -s jest -- test/integration/document-examples.spec.ts', {
  shell: true,
  stdio: 'inherit',
  env: { ...process.env, WRITE_EXAMPLES: 'true' },
});
process.exit(status ?? 1);
