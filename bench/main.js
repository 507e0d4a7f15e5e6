// @ts-check
/** `npm run bench -- [NAME] [options]`: see README.md beside it. */
import { fileURLToPath } from 'node:url';

/** @type {Record<string, string>} the programs by their names */
const PROGRAMS = {
  operations: 'all-operations.js',
  bulk: 'bulk-updates.js',
  forecast: 'forecast.js',
  longest: 'longest-requests.js',
  'sign-in': 'sign-in-timing.js',
  soak: 'soak.js',
};

const [node = '', , ...args] = process.argv;
const name = args[0] === undefined || args[0].startsWith('-') ? 'operations' : args.shift();
const file = PROGRAMS[name ?? ''];
if (file === undefined) {
  console.error(`Unknown benchmark ${name}: choose one of ${Object.keys(PROGRAMS).join(', ')}`);
  process.exit(2);
}
// As if it had been started itself, because some run again with a server (database.js).
process.argv = [node, fileURLToPath(new URL(file, import.meta.url)), ...args];
await import(`./${file}`);
