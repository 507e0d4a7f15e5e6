import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, from the sources as from the build. */
function projectRoot(folder = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(folder, 'package.json')) ? folder : projectRoot(dirname(folder));
}

/** Reads a JSON file that belongs to the project, by its path from the project's root. */
export function readProjectJson(path: string): unknown {
  return JSON.parse(readFileSync(join(projectRoot(), path), 'utf8'));
}
