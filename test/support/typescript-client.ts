import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const CLIENT_FOLDER = `${PROJECT}clients/typescript`;
/** The package that the client depends on, with its own dependency. */
export const CLIENT_PACKAGES = `${CLIENT_FOLDER}/node_modules`;

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
