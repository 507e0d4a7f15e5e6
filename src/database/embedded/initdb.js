// @ts-check
/**
 * Makes a new data folder at the path given as the first argument. A process of its own: creating a
 * cluster takes several times the memory of running one, which the service would never give back.
 */
import { PGlite } from '@electric-sql/pglite';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '';
const engine = await PGlite.create(folder);
await engine.close();

// The new cluster was written without fsync; from its first commit on it must survive a power cut.
for (const path of ['.', ...readdirSync(folder, { encoding: 'utf8', recursive: true })]) {
  const descriptor = openSync(join(folder, path), 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
process.exit(0);
