import pg, { Client, type ClientConfig, type CustomTypesConfig } from 'pg';
import { StatementBatch, type Answer, type Run, type Statement } from './statement-batch.js';

/** Enough for every statement of the service; lists of many lengths must not fill the server's memory. */
const MOST_STATEMENTS = 300;

/** The answer to a command that is not sent yet, or need not be. */
const NOTHING: Answer = { command: '', rowCount: null, rows: [] };

type Query = (query: unknown, values?: unknown, callback?: unknown) => unknown;

/** A run that someone waits for. */
interface Asked {
  run: Run;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * A connection that costs few and small messages:
 * - PostgreSQL parses and describes every statement once, however often it runs: each text with parameters
 *   becomes a prepared statement of the session when it is first used;
 * - statements that are asked for at once, such as by `Promise.all`, go in one message;
 * - a transaction begins in the message of its first statement;
 * - statements whose answer nobody waits for run in the message that commits it.
 */
export class PreparingClient extends Client {
  private readonly types: CustomTypesConfig;
  private readonly statements = new Map<string, Statement>();
  /** A transaction is to begin with the next statement. */
  private begins = false;
  /** To be sent when all that is asked for now has been asked for. */
  private asked: Asked[] = [];
  private atCommit: Run[] = [];
  private readonly send: Query;

  constructor(config: ClientConfig) {
    super(config);
    this.types = config.types ?? pg.types;
    // Broken off while it is in use: the statement under way fails, and the pool parts with the connection.
    this.on('error', () => undefined);
    this.send = this.query.bind(this);
    this.query = ((text: unknown, values: unknown, callback: unknown) =>
      typeof text === 'string' && callback === undefined
        ? this.answer(text, Array.isArray(values) ? values : [])
        : this.send(text, values, callback)) as Client['query'];
  }

  /** Has a statement run last in the open transaction, which fails if it does. */
  runAtCommit(text: string, values: readonly unknown[]): void {
    this.atCommit.push(this.runOf(text, values));
  }

  private answer(text: string, values: readonly unknown[]): unknown {
    switch (text) {
      case 'START TRANSACTION':
        this.begins = true;
        return Promise.resolve(NOTHING);
      case 'COMMIT':
      case 'ROLLBACK':
        return this.finish(text);
      default:
        return this.run(text, values);
    }
  }

  private finish(command: 'COMMIT' | 'ROLLBACK'): unknown {
    this.sendAsked();
    const begin = this.beginning();
    const { atCommit } = this;
    this.atCommit = [];
    if (command === 'COMMIT' && atCommit.length > 0) {
      return this.sendBatch([...begin, ...atCommit, this.runOf('COMMIT')]);
    }
    return begin.length > 0 ? Promise.resolve(NOTHING) : this.send(command);
  }

  private async run(text: string, values: readonly unknown[]): Promise<unknown> {
    if (values.length > 0) return this.ask(this.runOf(text, values));
    // It may be several commands, which the server takes only as plain text.
    this.sendAsked();
    const begin = this.beginning();
    const begun = begin.length > 0 && this.sendBatch(begin);
    const answers = await Promise.all([begun, this.send(text)]);
    return answers[1];
  }

  private ask(run: Run): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const count = this.asked.push({ run, resolve, reject });
      if (count === 1) process.nextTick(() => this.sendAsked());
    });
  }

  private sendAsked(): void {
    const { asked } = this;
    if (asked.length === 0) return;
    this.asked = [];
    const begin = this.beginning();
    this.sendBatch([...begin, ...asked.map(({ run }) => run)]).then(
      (answers) => {
        asked.forEach(({ resolve }, at) => resolve(answers[begin.length + at] ?? NOTHING));
      },
      (error: unknown) => {
        for (const { reject } of asked) reject(error);
      },
    );
  }

  /** BEGIN, where a transaction is to begin now. */
  private beginning(): Run[] {
    const { begins } = this;
    this.begins = false;
    return begins ? [this.runOf('BEGIN')] : [];
  }

  private sendBatch(runs: readonly Run[]): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      this.send(
        new StatementBatch({
          runs,
          types: this.types,
          callback: (error, answers) => {
            if (error) reject(error);
            else resolve(answers);
          },
        }),
      );
    });
  }

  private runOf(text: string, values: readonly unknown[] = []): Run {
    const known = this.statements.get(text);
    if (known) return { statement: known, values };
    // The one without a name is parsed with every run.
    if (this.statements.size === MOST_STATEMENTS) return { statement: { name: '', text }, values };
    const statement = { name: `s${this.statements.size + 1}`, text };
    this.statements.set(text, statement);
    return { statement, values };
  }
}
