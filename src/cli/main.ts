import { CommanderError } from 'commander';
import { explain } from './command-error.js';
import { createProgram } from './program.js';

const FAILED = 1;
const WRONG_USAGE = 2;

// Whoever reads the output may stop reading: `users list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong, or shown the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  } else {
    console.error(explain(error));
    process.exitCode = FAILED;
  }
}
