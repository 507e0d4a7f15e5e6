// @ts-check
/**
 * Creates a cluster in the folder of the first argument. A separate process, because creating a cluster takes
 * several times the memory of running one, which the service would not release.
 */
import { PGlite } from '@electric-sql/pglite';
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '';
const engine = await PGlite.create(folder);
await engine.close();

// PGlite writes the new cluster without fsync; it must survive a power failure.
for (const path of ['.', ...readdirSync(folder, { encoding: 'utf8', recursive: true })]) {
  const descriptor = openSync(join(folder, path), 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
process.exit(0);
