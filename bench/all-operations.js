// @ts-check
/** `npm run bench -- operations`: see README.md beside it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureEmbedded } from './at-rest.js';
import { compareWithBaseline } from './comparison.js';
import { rerunWithServer } from './database.js';
import { measureGrowth } from './growth.js';
import { readOptions } from './options.js';
import {
  printComparison,
  printEmbedded,
  printGrowth,
  printServiceOnly,
  writeResults,
} from './report.js';

const options = readOptions(process.argv.slice(2));
const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined) process.exit(rerunWithServer());

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  if (options.growth) {
    const growth = await measureGrowth(serverUrl, folder, options);
    printGrowth(growth);
    writeResults(options.output, { options, ...growth });
  } else {
    const comparison = await compareWithBaseline(serverUrl, folder, options);
    const embedded = await measureEmbedded(folder);
    printComparison(comparison.outcomes);
    printServiceOnly(comparison.others);
    printEmbedded(embedded);
    console.log(`PostgreSQL server: ${comparison.rss_mb_at_rest} MB when idle`);
    writeResults(options.output, { options, ...comparison, embedded });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
