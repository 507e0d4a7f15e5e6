import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentityCache } from '../../auth/identity-cache.js';
import { Database } from '../../platform/database/database.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { SandboxDay } from './sandbox-day.js';

/** The schema with a copy of every table. */
const COPY = 'sandbox_copy';

/** Puts the data of the sandbox back as they were. */
@Injectable()
export class SandboxService {
  constructor(
    private readonly database: Database,
    private readonly identities: IdentityCache,
    private readonly day: SandboxDay,
  ) {}

  /** Copies all rows, to which {@link reset} returns. */
  async copyData(): Promise<void> {
    await this.database.systemTransaction(async (manager) => {
      const copies = tablesOf(manager).map(
        ({ name }) => `CREATE TABLE ${COPY}.${name} AS TABLE ${name}`,
      );
      await manager.query([`CREATE SCHEMA ${COPY}`, ...copies].join(';'));
    });
  }

  /**
   * Puts all rows back as they were copied, in one transaction, and sets the day.
   *
   * @param today null: that of the clock; undefined: that of the start
   */
  async reset(today: CalendarDate | null | undefined): Promise<void> {
    await this.database.systemTransaction(async (manager) => {
      const tables = tablesOf(manager);
      const statements = tables.flatMap(({ name, columns }) => [
        // Faster than TRUNCATE, which makes new files for all indexes.
        `DELETE FROM ${name}`,
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${COPY}.${name}`,
      ]);
      // The copies fulfil the foreign keys: without their triggers, the order does not matter.
      const withoutTriggers = 'SET LOCAL session_replication_role = replica';
      await manager.query([withoutTriggers, ...statements].join(';'));
      this.database.afterCommit(manager, () => {
        this.identities.invalidateAll();
        this.setToday(today);
      });
    });
  }

  /** @param today null: that of the clock; undefined: that of the start */
  setToday(today: CalendarDate | null | undefined): void {
    this.day.set(today);
  }
}

interface Table {
  name: string;
  /** Its columns but generated ones, which belong to no entity. */
  columns: string;
}

const tablesOf = ({ dataSource }: EntityManager): Table[] =>
  dataSource.entityMetadatas.map(({ tableName, columns }) => ({
    name: tableName,
    columns: columns.map(({ databaseName }) => `"${databaseName}"`).join(),
  }));
