import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { DatabaseSettings } from '../config/settings.js';
import { createDataSource } from './data-source.js';
import { openEmbeddedDatabase } from './embedded/embedded-database.js';
import { startMaintenance } from './embedded/maintenance.js';

export interface OpenDatabase {
  dataSource: DataSource;
  close: () => Promise<void>;
}

/** Opens the database of the settings: connected, and migrated to the newest version. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  const opened =
    settings.kind === 'server' ? await openServer(settings) : await openEmbedded(settings);
  try {
    await opened.dataSource.runMigrations();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openServer(settings: DatabaseSettings): Promise<OpenDatabase> {
  const dataSource = await createDataSource(settings).initialize();
  return { dataSource, close: () => dataSource.destroy() };
}

async function openEmbedded(
  settings: Extract<DatabaseSettings, { kind: 'embedded' }>,
): Promise<OpenDatabase> {
  const logger = new Logger('EmbeddedDatabase');
  const embedded = await openEmbeddedDatabase({
    ...settings,
    onLost: (error) => logger.error(`${error.message}; the database restarts`),
  });
  try {
    const dataSource = await createDataSource(settings, embedded).initialize();
    const stopMaintenance = startMaintenance((sql) => dataSource.query(sql));
    return {
      dataSource,
      close: async () => {
        stopMaintenance();
        await dataSource.destroy();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}
