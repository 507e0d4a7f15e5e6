import { TestEnvironment } from 'jest-environment-node';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The code of the embedded engine. V8 shares it between the threads of a process as long as a
 * module is alive; otherwise each test file would compile and optimize it anew.
 */
export const engine = await WebAssembly.compile(
  readFileSync(fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))),
);

export default TestEnvironment;
