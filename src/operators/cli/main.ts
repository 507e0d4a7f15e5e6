import { CommanderError } from 'commander';
import { explain } from './command-error.js';
import { createProgram } from './program.js';

const FAILED = 1;
const USAGE_ERROR = 2;

// The reader of a pipe may close it early: `users list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the usage error or the requested help.
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  } else {
    console.error(explain(error));
    process.exitCode = FAILED;
  }
}
