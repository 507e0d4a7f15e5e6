import { Command } from 'commander';
import { dumpDatabase, isDump, restoreDump } from '../backup/dump.js';
import { ExportService } from '../backup/export.service.js';
import { checkExportFile, RestoreService } from '../backup/restore.service.js';
import { printJson, printTable } from './output.js';
import { commandSettings, withServices } from './services.js';

export function exportCommand(): Command {
  return new Command('export')
    .description('export the whole database to a new file')
    .argument('<file>', 'such as backup.jsonl.gz; readable by its owner only')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const rows = await withServices((services) => services.get(ExportService).export(file));
      report(`Exported to ${file}`, rows, json);
    });
}

export function dumpCommand(): Command {
  return new Command('dump')
    .description('dump the database of a PostgreSQL server to a new file, with its pg_dump')
    .argument('<file>', 'such as expenses.dump; readable by its owner only')
    .action(async (file: string) => {
      await dumpDatabase(commandSettings().database, file);
      console.log(`Dumped to ${file}`);
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a file into a new database, as a whole or not at all')
    .argument('<file>', 'of export, or of dump')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      const rows = (await isDump(file)) ? await restoreADump(file) : await restoreAnExport(file);
      report(`Restored ${file}`, rows, json);
    });
}

async function restoreADump(file: string): Promise<Record<string, number>> {
  await restoreDump(commandSettings().database, file);
  return withServices((services) => services.get(RestoreService).completeDump());
}

async function restoreAnExport(file: string): Promise<Record<string, number>> {
  await checkExportFile(file);
  return withServices((services) => services.get(RestoreService).restore(file), {
    mayCreate: true,
  });
}

function report(message: string, rows: Record<string, number>, json?: true): void {
  if (json) {
    printJson({ rows });
    return;
  }
  console.log(`${message}\n`);
  printTable(
    Object.entries(rows).map(([Table, Rows]) => ({ Table, Rows })),
    '',
  );
}
