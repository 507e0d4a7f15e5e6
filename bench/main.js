// @ts-check
/** `npm run bench -- [NAME] [options]`: see README.md beside it. */
import { fileURLToPath } from 'node:url';

/** The programs by their names. */
const PROGRAMS = new Map([
  ['operations', 'all-operations.js'],
  ['bulk', 'bulk-updates.js'],
  ['forecast', 'forecast.js'],
  ['longest', 'longest-requests.js'],
  ['reminders', 'reminders.js'],
  ['sign-in', 'sign-in-timing.js'],
  ['soak', 'soak.js'],
]);

const [node = '', , ...args] = process.argv;
const isNamed = args[0] !== undefined && !args[0].startsWith('-');
const name = (isNamed ? args.shift() : undefined) ?? 'operations';
const file = PROGRAMS.get(name);
if (file === undefined) {
  console.error(`Unknown benchmark ${name}: choose one of ${[...PROGRAMS.keys()].join(', ')}`);
  process.exit(2);
}
// As if it had been started itself, because some run again with a server (database.js).
process.argv = [node, fileURLToPath(new URL(file, import.meta.url)), ...args];
await import(`./${file}`);
