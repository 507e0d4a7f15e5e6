// @ts-check
import { TestEnvironment } from 'jest-environment-node';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'));

// TypeScript declares it for browsers only.
/** @type {unknown} */
const wasm = Reflect.get(globalThis, 'WebAssembly');
const { compile } = /** @type {{ compile: (code: Buffer) => Promise<object> }} */ (wasm);

/**
 * The code of the embedded engine. V8 shares it between the threads of a process as long as a
 * module is alive; otherwise each test file would compile and optimize it anew.
 */
export const engine = await compile(readFileSync(file));

export default TestEnvironment;
