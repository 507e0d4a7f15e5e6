import { Client, type ClientConfig, type QueryConfig } from 'pg';

/** Enough for every statement of the service; lists of many lengths must not fill the server's memory. */
const MOST_STATEMENTS = 300;

/** By text; the same in all connections of the process. */
const names = new Map<string, string>();

type Query = (query: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A connection that PostgreSQL parses every statement for once, however often it runs: each text with
 * parameters becomes a prepared statement of the session when it is first used.
 */
export class PreparingClient extends Client {
  constructor(config: ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Query;
    this.query = ((text: unknown, values: unknown, callback: unknown) =>
      query(prepared(text, values) ?? text, values, callback)) as Client['query'];
  }
}

function prepared(text: unknown, values: unknown): QueryConfig | undefined {
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return undefined;
  const name = names.get(text) ?? nameFor(text);
  return name === undefined ? undefined : { name, text, values };
}

function nameFor(text: string): string | undefined {
  if (names.size === MOST_STATEMENTS) return undefined;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}
