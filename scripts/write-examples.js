// @ts-check
/** Records the examples of the OpenAPI document from the service, into openapi/examples.json. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  'npm run -s test -- test/integration/openapi/document-examples.spec.ts',
  {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, WRITE_EXAMPLES: 'true' },
  },
);
process.exit(status ?? 1);
