import {
  DataSource,
  QueryFailedError,
  QueryRunnerProviderAlreadyReleasedError,
  type QueryRunner,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Broadcaster } from 'typeorm/subscriber/Broadcaster.js';
import type { PreparingClient } from './preparing-client.js';

/**
 * Statements go to the connection as they are. The ORM would make a query runner and an entity manager for
 * each that is outside a transaction, and look for subscribers, of which there are none, around every one.
 */
export class LeanDataSource extends DataSource {
  /** @returns the rows; of an UPDATE or DELETE the rows and how many there were */
  override async query<Result>(
    text: string,
    parameters: unknown[] = [],
    runner?: QueryRunner,
  ): Promise<Result> {
    if (runner?.isReleased) throw new QueryRunnerProviderAlreadyReleasedError();
    const { client, release } = runner
      ? { client: (await runner.connect()) as PreparingClient }
      : await this.lease();
    this.logger.logQuery(text, parameters, runner);
    try {
      const { command, rows, rowCount } = await client.query(text, parameters);
      const isCounted = command === 'UPDATE' || command === 'DELETE';
      return (isCounted ? [rows, rowCount] : rows) as Result;
    } catch (error) {
      throw new QueryFailedError(text, parameters, error as Error);
    } finally {
      release?.();
    }
  }

  override createQueryRunner(mode?: 'master' | 'slave'): QueryRunner {
    const runner = super.createQueryRunner(mode);
    return Object.assign(runner, { broadcaster: new QuietBroadcaster(runner) });
  }

  private async lease(): Promise<{ client: PreparingClient; release: () => void }> {
    const lease = await (this.driver as PostgresDriver).obtainMasterConnection();
    const [client, release] = lease as [PreparingClient, () => void];
    return { client, release };
  }
}

class QuietBroadcaster extends Broadcaster {
  override broadcast(): Promise<void> {
    return Promise.resolve();
  }

  override broadcastAfterQueryEvent(): void {
    // Nobody listens.
  }
}
