import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json; the sources and the build are at different depths below it. */
function projectRoot(folder = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(folder, 'package.json')) ? folder : projectRoot(dirname(folder));
}

/** The absolute path of a file of the project. */
export const projectFile = (...path: string[]): string => join(projectRoot(), ...path);

/** Reads a JSON file of the project by its path relative to the project root. */
export function readProjectJson(path: string): unknown {
  return JSON.parse(readFileSync(projectFile(path), 'utf8'));
}

export const SERVICE_NAME = 'expense-service';
export const SERVICE_VERSION = (readProjectJson('package.json') as { version: string }).version;
