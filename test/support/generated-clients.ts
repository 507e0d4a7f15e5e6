import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = join(PROJECT, 'tools/node_modules');

/** A file of the packages that {@link installTools} installs. */
export const tool = (path: string): string => join(PACKAGES, path);

export const OPENAPI_DOCUMENT = join(PROJECT, 'docs/openapi.json');

/** The strictest options that an application is likely to have. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/** Installs the generators and Prism, unless they are installed. */
export function installTools(): void {
  const command = ['scripts/prepare.cjs', 'tools'];
  const { status, stderr } = spawnSync('node', command, { cwd: PROJECT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** @returns stdout and stderr, and the exit code */
function run(
  folder: string,
  command: string,
  args: string[],
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

/** Makes a folder an application in which the generators are installed. */
export function prepareApplication(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
}

/** Runs the command of a generator in a folder; throws its output if it fails. */
export function generate(folder: string, command: string, args: string[]): void {
  const { code, output } = run(folder, command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${output}`);
}

/** Compiles files or folders of an application. Returns what the compiler prints: nothing without errors. */
export function compile(folder: string, include: string[], options: object = {}): string {
  const compilerOptions = { ...COMPILER_OPTIONS, noEmit: true, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  return run(folder, tool('.bin/tsc'), ['--project', '.']).output;
}

/** Replaces the TypeScript files of a folder with their declarations, as in a package. */
export function compileToDeclarations(folder: string, part: string, options: object): string {
  const output = compile(folder, [part], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
  });
  for (const name of readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })) {
    if (/(?<!\.d)\.ts$/.test(name)) rmSync(join(folder, part, name));
  }
  return output;
}
