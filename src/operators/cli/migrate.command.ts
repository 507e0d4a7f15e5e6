import { Command } from 'commander';
import { withServices } from './services.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate the database to this version, before a new version of the service starts')
    .action(async () => {
      // Every command migrates the database when it opens it.
      await withServices(() => Promise.resolve());
      console.log('The database has the schema of this version.');
    });
}
