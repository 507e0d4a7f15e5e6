import { Command } from 'commander';
import { ExportService } from '../backup/export.service.js';
import { checkExportFile, RestoreService } from '../backup/restore.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

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

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore an exported file into a new database, as a whole or not at all')
    .argument('<file>')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: true }) => {
      await checkExportFile(file);
      const rows = await withServices((services) => services.get(RestoreService).restore(file), {
        mayCreate: true,
      });
      report(`Restored ${file}`, rows, json);
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
