import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const CLIENT_FOLDER = `${PROJECT}clients/typescript`;
/** The package that the client depends on, with its own dependency. */
export const CLIENT_PACKAGES = `${CLIENT_FOLDER}/node_modules`;

/** The block of a language between the marks of a name in the README. */
export function exampleOf(name: string, language: string): string {
  const readme = readFileSync(`${CLIENT_FOLDER}/README.md`, 'utf8');
  const [, section = ''] =
    new RegExp(`<!-- ${name}:begin.*?-->(.*)<!-- ${name}:end -->`, 's').exec(readme) ?? [];
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
}

/** Runs a command in the project; throws its output if it fails. Returns stdout. */
export function runInProject(command: string): string {
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    cwd: PROJECT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
  return stdout;
}

/** Compiles the client into its folder `dist`. */
export function buildClient(): void {
  runInProject('npm run -s client:build');
}
