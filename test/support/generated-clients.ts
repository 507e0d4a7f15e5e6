import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = join(PROJECT, 'tools/node_modules');

/** A file of the packages that {@link installTools} installs. */
export const tool = (path: string): string => join(PACKAGES, path);

export const OPENAPI_DOCUMENT = join(PROJECT, 'docs/openapi.json');

/** The strictest options that an application is likely to have. */
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(PROJECT, 'node_modules/@types')],
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

/** The programs that use the generated clients, one for each. */
export const TOURS = join(PROJECT, 'test/generated-clients');

/** The folder in which `.ci/generators` installs the packages of tools/requirements.txt. */
const { CLIENT_GENERATORS = '' } = process.env;
const inPackages = (path: string): string => join(CLIENT_GENERATORS, path);

export const GENERATORS = {
  python: inPackages('bin/python'),
  openapiPythonClient: inPackages('bin/openapi-python-client'),
  jar: inPackages('openapi-generator.jar'),
};

/**
 * Debian's packages of the libraries of the Java client; the jar of the generator contains Jackson.
 */
const JAVA_LIBRARIES = ['httpclient', 'httpcore', 'httpmime', 'jakarta-annotation-api'].map(
  (name) => `/usr/share/java/${name}.jar`,
);
export const JAVA_CLASS_PATH = [...JAVA_LIBRARIES, GENERATORS.jar].join(':');

const GO_PACKAGES = ['golang.org/x/oauth2', 'gopkg.in/validator.v2'].map(
  (name) => `/usr/share/gocode/src/${name}`,
);

const inPath = (command: string): string =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, command))
    .find((file) => existsSync(file)) ?? command;

/** What generating and running a client of the kind needs and is not there. */
export function missingFor(kind: 'python' | 'jvm' | 'java' | 'go'): string[] {
  const jvm = [GENERATORS.jar, inPath('java')];
  const needed = {
    python: [GENERATORS.openapiPythonClient],
    jvm,
    java: [...jvm, inPath('javac'), ...JAVA_LIBRARIES],
    go: [...jvm, inPath('go'), ...GO_PACKAGES],
  };
  return needed[kind].filter((file) => !existsSync(file));
}

/** @returns stdout and stderr, and the exit code */
export function run(
  folder: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): { code: number | null; output: string } {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  return { code: status, output: error ? error.message : stdout + stderr };
}

/** Makes a folder an application in which the generators are installed. */
export function prepareApplication(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
}

/** Runs the command of a generator in a folder; throws its output if it fails. */
export function generate(
  folder: string,
  command: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): void {
  const { code, output } = run(folder, command, args, env);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${output}`);
}

/** @param script the program of a version of orval, in the installed packages */
export const generateWithOrval = (folder: string, script: string): void =>
  generate(folder, tool(script), [
    ...['--input', OPENAPI_DOCUMENT],
    ...['--output', 'client/api.ts', '--client', 'fetch'],
  ]);

/**
 * Compiles files or folders of an application. Returns what the compiler prints: nothing without
 * errors.
 */
export function compile(folder: string, include: string[], options: object = {}): string {
  const compilerOptions = { ...COMPILER_OPTIONS, noEmit: true, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  return run(folder, tool('.bin/tsc'), ['--project', '.']).output;
}

/** Like {@link compile}, and writes JavaScript to the folder `out`. */
export const emit = (folder: string, include: string[], options: object): string =>
  compile(folder, include, { ...options, noEmit: false, outDir: 'out' });

/** The files below a folder whose names end so. */
export const sourceFiles = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
