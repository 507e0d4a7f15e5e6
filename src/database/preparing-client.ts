import pg, { Client, type ClientConfig, type CustomTypesConfig } from 'pg';
import { StatementBatch, type Run, type Statement } from './statement-batch.js';

/** Enough for every statement of the service; lists of many lengths must not fill the server's memory. */
const MOST_STATEMENTS = 300;

/** The answer to a command that is not sent yet, or need not be. */
const NOTHING = { command: '', rowCount: null, rows: [] };

type Query = (query: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A connection that costs few and small messages:
 * - PostgreSQL parses and describes every statement once, however often it runs: each text with parameters
 *   becomes a prepared statement of the session when it is first used;
 * - a transaction begins in the message of its first statement;
 * - statements whose answer nobody waits for run in the message that commits it.
 */
export class PreparingClient extends Client {
  private readonly types: CustomTypesConfig;
  private readonly statements = new Map<string, Statement>();
  /** A transaction is to begin with the next statement. */
  private begins = false;
  private atCommit: Run[] = [];

  constructor(config: ClientConfig) {
    super(config);
    this.types = config.types ?? pg.types;
    const send = this.query.bind(this) as Query;
    this.query = ((text: unknown, values: unknown, callback: unknown) =>
      typeof text === 'string' && callback === undefined
        ? this.answer(send, text, Array.isArray(values) ? values : [])
        : send(text, values, callback)) as Client['query'];
  }

  /** Has a statement run last in the open transaction, which fails if it does. */
  runAtCommit(text: string, values: readonly unknown[]): void {
    this.atCommit.push({ statement: this.statementOf(text), values });
  }

  private answer(send: Query, text: string, values: readonly unknown[]): unknown {
    switch (text) {
      case 'START TRANSACTION':
        this.begins = true;
        return Promise.resolve(NOTHING);
      case 'COMMIT':
      case 'ROLLBACK':
        return this.finish(send, text);
      default:
        return this.run(send, text, values);
    }
  }

  private finish(send: Query, command: 'COMMIT' | 'ROLLBACK'): unknown {
    const { begins, atCommit: runs } = this;
    this.begins = false;
    this.atCommit = [];
    if (command === 'COMMIT' && runs.length > 0) {
      return this.sendBatch(send, { runs, begins, commits: true });
    }
    return begins ? Promise.resolve(NOTHING) : send(command);
  }

  private async run(send: Query, text: string, values: readonly unknown[]): Promise<unknown> {
    const { begins } = this;
    this.begins = false;
    if (
      values.length > 0 &&
      (this.statements.has(text) || this.statements.size < MOST_STATEMENTS)
    ) {
      return this.sendBatch(send, {
        runs: [{ statement: this.statementOf(text), values }],
        begins,
      });
    }
    if (begins) await send('BEGIN');
    return send(text, values);
  }

  private sendBatch(
    send: Query,
    batch: { runs: readonly Run[]; begins: boolean; commits?: boolean },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      send(
        new StatementBatch({
          ...batch,
          types: this.types,
          callback: (error, answer) => {
            if (error) reject(error);
            else resolve(answer);
          },
        }),
      );
    });
  }

  private statementOf(text: string): Statement {
    const known = this.statements.get(text);
    if (known) return known;
    const statement = { name: `s${this.statements.size + 1}`, text };
    this.statements.set(text, statement);
    return statement;
  }
}
