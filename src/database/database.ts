import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { translateUniqueViolation } from '../common/errors/unique-violation.js';

/** The one door to the database: services read through `manager` and write in a `transaction`. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** For reads outside any transaction. Inside one, use the manager that the work is given. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Runs the work in one transaction: all of it happens, or nothing.
   *
   * @throws whatever the work throws; a broken unique constraint as the domain error it stands for
   */
  async transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      throw translateUniqueViolation(error);
    }
  }
}
