import pg, { type Connection, type QueryResult, type QueryResultRow, type Submittable } from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';

/** A prepared statement as one connection knows it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** What the server said about its rows; from then on it is parsed. */
  rows?: Rows;
  /** The message that gives it no values. */
  bare?: Buffer;
}

/** What the rows of a statement look like. */
interface Rows {
  columns: readonly { name: string; parse: (value: string) => unknown }[];
  /** A row with nothing in it: its copies have all columns from the start, which is faster than adding each. */
  blank: QueryResultRow;
}

const NO_ROWS: Rows = { columns: [], blank: {} };

/** One run of a statement. */
export interface Run {
  statement: Statement;
  values: readonly unknown[];
}

type TypeId = Parameters<pg.CustomTypesConfig['getTypeParser']>[0];
export type Answer = Pick<QueryResult, 'command' | 'rowCount' | 'rows'>;

interface BatchOptions {
  runs: readonly Run[];
  types: pg.CustomTypesConfig;
  /** Gets an answer for each run. */
  callback: (error: Error | null, answers: Answer[]) => void;
}

const EXECUTE = serialize.execute();
const DESCRIBE = serialize.describe({ type: 'P' });
const SYNC = serialize.sync();

const bind = (statement: string, values: readonly unknown[]): Buffer =>
  serialize.bind({ statement, values: [...values], valueMapper: prepareValue });

/** The command and how many rows it was about, before which an INSERT has a zero. */
const TAG = /^([A-Z]+)(?: (\d+))?(?: (\d+))?/;

/**
 * Statements that are sent to the server in one message and answered together. When one fails, those
 * after it are not run, and none is answered.
 *
 * The driver's own query sends five messages a statement, and asks for a description of the columns
 * with every run. The `handle` methods are those that the driver calls as the answer comes in
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
 */
export class StatementBatch implements Submittable {
  readonly callback: BatchOptions['callback'];
  private readonly answers: Answer[] = [];
  private readonly described = new Map<Statement, Rows>();
  private rows: QueryResultRow[] = [];
  private failure: Error | undefined;

  constructor(private readonly options: BatchOptions) {
    this.callback = options.callback;
  }

  /** @returns an error when a value cannot be sent; then nothing is */
  submit({ stream }: Pick<Connection, 'stream'>): Error | null {
    try {
      stream.write(Buffer.concat(this.messages()));
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: TypeId }[] }): void {
    const statement = this.current();
    if (!statement) return;
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.options.types.getTypeParser(dataTypeID, 'text') as (value: string) => unknown,
    }));
    const blank = Object.fromEntries(columns.map(({ name }) => [name, null]));
    this.described.set(statement, { columns, blank });
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const { columns, blank } = this.currentRows();
    const row = { ...blank };
    try {
      columns.forEach(({ name, parse }, at) => {
        const value = values[at] ?? null;
        if (value !== null) row[name] = parse(value);
      });
      this.rows.push(row);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [, command = '', first, second] = TAG.exec(text) ?? [];
    const count = second ?? first;
    const rowCount = count === undefined ? null : Number(count);
    this.answers.push({ command, rowCount, rows: this.rows });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    for (const { statement } of this.options.runs) {
      statement.rows ??= this.described.get(statement) ?? NO_ROWS;
    }
    this.callback(this.failure ?? null, this.answers);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  private messages(): Buffer[] {
    const messages: Buffer[] = [];
    for (const { statement, values } of this.options.runs) {
      const { name, text, rows } = statement;
      if (!rows) {
        // Closed first: a run that failed may have left it there, and to close what is not is no error.
        messages.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }));
      }
      messages.push(values.length === 0 ? (statement.bare ??= bind(name, [])) : bind(name, values));
      if (!rows) messages.push(DESCRIBE);
      messages.push(EXECUTE);
    }
    messages.push(SYNC);
    return messages;
  }

  /** The statement that is answered next. */
  private current(): Statement | undefined {
    return this.options.runs[this.answers.length]?.statement;
  }

  private currentRows(): Rows {
    const statement = this.current();
    return (statement && (statement.rows ?? this.described.get(statement))) ?? NO_ROWS;
  }
}
