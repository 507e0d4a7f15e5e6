import { Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { isCollision } from '../common/errors/database-failure.js';
import { translateUniqueViolation } from '../common/errors/unique-violation.js';
import { Metrics } from '../observability/metrics.js';

/** Runs of a transaction that collides with others, the first one included. */
const MAX_ATTEMPTS = 5;
const LONGEST_FIRST_PAUSE_MS = 20;

/** The one door to the database: services read through `manager` and write in a `transaction`. */
@Injectable()
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  /** For reads outside any transaction. Inside one, use the manager that the work is given. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Runs the work in one transaction: all of it happens, or nothing. After a deadlock or a serialization
   * failure, of which nothing remains, it is run again; so it must leave no trace outside its manager.
   *
   * @throws whatever the work throws; a broken unique constraint as the domain error it stands for
   */
  async transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (!isCollision(error) || attempt === MAX_ATTEMPTS) throw translateUniqueViolation(error);
        this.metrics.transactionRetries.inc();
        // Of random length, so that those who collided do not meet again.
        await setTimeout(Math.random() * LONGEST_FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  /** Runs reads that all see one moment of the database, however long they take; writes are refused. */
  snapshot<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }
}
