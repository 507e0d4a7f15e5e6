import { Command } from 'commander';
import { SERVICE_VERSION } from '../common/version.js';
import { exportCommand, restoreCommand } from './backup.commands.js';
import { checkCommand } from './check.command.js';
import { demoDataCommand } from './demo-data.command.js';
import { exchangeRatesCommand } from './exchange-rates.commands.js';
import { householdsCommand } from './households.commands.js';
import { usersCommand } from './users.commands.js';

const EPILOGUE = `
It works on the database of the service's own settings: DATABASE_URL, or else DATA_DIR, from the
environment or from .env in the working folder. The embedded database belongs to one process at a time:
stop the service first. On a server the service may go on.

It exits with 0 when all went well, 1 when something failed or was found, 2 when it was called wrongly.`;

/** All operators' commands; parsing runs one. */
export function createProgram(): Command {
  const program = new Command('expense-service')
    .description("Operators' commands of the expense planning service")
    .version(SERVICE_VERSION)
    .addHelpText('after', EPILOGUE)
    .addCommand(usersCommand())
    .addCommand(householdsCommand())
    .addCommand(exchangeRatesCommand())
    .addCommand(demoDataCommand())
    .addCommand(exportCommand())
    .addCommand(restoreCommand())
    .addCommand(checkCommand());
  withoutExit(program);
  return program;
}

/** Wrong usage becomes an exception in every subcommand: the caller knows the exit code for it. */
function withoutExit(command: Command): void {
  command.exitOverride();
  command.commands.forEach(withoutExit);
}
