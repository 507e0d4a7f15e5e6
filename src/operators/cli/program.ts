import { Command } from 'commander';
import { SERVICE_VERSION } from '../../platform/config/project-files.js';
import { dumpCommand, exportCommand, restoreCommand } from './backup.commands.js';
import { checkCommand } from './check.command.js';
import { demoDataCommand } from './demo-data.command.js';
import { distributeCommand } from './distribute.command.js';
import { exchangeRatesCommand } from './exchange-rates.commands.js';
import { householdsCommand } from './households.commands.js';
import { migrateCommand } from './migrate.command.js';
import { commandSettings } from './services.js';
import { usersCommand } from './users.commands.js';

const EPILOGUE = `
Uses the database of the service's settings, DATABASE_URL or DATA_DIR, from the environment or from .env in
the working folder. Only one process can open the embedded database: stop the service first. With a server,
the service can keep running.

Exit codes: 0 success, 1 failure or problems found, 2 usage error.`;

/** The CLI with all its commands. */
export function createProgram(): Command {
  const program = new Command('expense-service')
    .description('Administration of the expense planning service')
    .version(SERVICE_VERSION)
    .addHelpText('after', EPILOGUE)
    // Settings are checked before a prompt, and before a file is read.
    .hook('preAction', () => void commandSettings())
    .addCommand(usersCommand())
    .addCommand(householdsCommand())
    .addCommand(exchangeRatesCommand())
    .addCommand(demoDataCommand())
    .addCommand(exportCommand())
    .addCommand(dumpCommand())
    .addCommand(restoreCommand())
    .addCommand(checkCommand())
    .addCommand(migrateCommand())
    .addCommand(distributeCommand());
  throwInsteadOfExit(program);
  return program;
}

/**
 * Makes all commands throw usage errors instead of exiting, so that the caller sets the exit code.
 */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExit);
}
