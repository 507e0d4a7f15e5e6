import { Duplex } from 'node:stream';
import type { Engine } from './engine.js';
import type { SessionQueue } from './session-queue.js';

const EMPTY = Buffer.alloc(0);

/** Message types of the PostgreSQL protocol, sent by clients. */
const CLIENT = {
  bind: 'B',
  copyDone: 'c',
  copyFail: 'f',
  execute: 'E',
  flush: 'H',
  parse: 'P',
  query: 'Q',
  sync: 'S',
  terminate: 'X',
} as const;

/** Client messages after which the server responds. */
const BATCH_END_TYPES: ReadonlySet<string> = new Set([
  CLIENT.sync,
  CLIENT.query,
  CLIENT.flush,
  CLIENT.copyDone,
  CLIENT.copyFail,
]);

/** Message types sent by the server. */
const SERVER = { bindDone: '2', copyIn: 'G', error: 'E', parseDone: '1', ready: 'Z' } as const;
/** Each of these ends a statement: complete, empty, suspended, copy in or copy out. */
const STATEMENT_END_TYPES = ['C', 'I', 's', SERVER.copyIn, 'H'];

/** Transaction status "idle", in a ready message. */
const IDLE = 'I';

/**
 * The socket of the `pg` driver. Splits the bytes of the driver into protocol messages and passes
 * them to the engine in batches that end with a message to which the server responds.
 */
export class WireStream extends Duplex {
  private received: Buffer = EMPTY;
  private batch: Buffer[] = [];
  private isStarted = false;
  private transactionStatus: string = IDLE;
  private lastRun: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: Engine,
    private readonly session: SessionQueue,
  ) {
    super({ allowHalfOpen: false });
    session.join(this);
  }

  // The methods of a socket that the driver uses in addition to the stream.
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    // Responses are pushed as they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.received = this.received.length > 0 ? Buffer.concat([this.received, chunk]) : chunk;
    for (let message = this.nextMessage(); message; message = this.nextMessage()) {
      this.consume(message);
    }
    done();
  }

  override _final(done: () => void): void {
    void this.lastRun.then(() => {
      this.push(null);
      done();
    });
  }

  /**
   * Rolls an open transaction back before the next client gets the session, like a closed
   * connection.
   */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const leave = (): void => {
      this.session.leave(this);
      done(error);
    };
    this.lastRun
      .then(async () => {
        if (this.transactionStatus !== IDLE) await this.engine.execute(simpleQuery('ROLLBACK'));
      })
      .then(leave, leave);
  }

  /** The next complete message. The start-up message has no type byte before its length. */
  private nextMessage(): Buffer | undefined {
    const typeLength = this.isStarted ? 1 : 0;
    if (this.received.length < typeLength + 4) return undefined;
    const length = typeLength + this.received.readInt32BE(typeLength);
    if (this.received.length < length) return undefined;
    const message = this.received.subarray(0, length);
    this.received = this.received.subarray(length);
    return message;
  }

  private consume(message: Buffer): void {
    if (!this.isStarted) {
      this.isStarted = true;
      // Resets the session, which other clients may have used before.
      this.run([simpleQuery('DISCARD ALL')], { silent: true });
      this.run([message]);
      return;
    }
    const type = typeOf(message);
    if (type === CLIENT.terminate) {
      this.end();
      return;
    }
    this.batch.push(message);
    if (!BATCH_END_TYPES.has(type)) return;
    this.run(this.batch);
    this.batch = [];
  }

  /** A method, so that TypeScript does not narrow `destroyed` across an await. */
  private isClosed(): boolean {
    return this.destroyed;
  }

  private run(messages: Buffer[], { silent = false } = {}): void {
    this.lastRun = this.lastRun
      .then(async () => {
        if (this.isClosed()) return;
        await this.session.acquire(this);
        if (this.isClosed()) return;
        const { buffer } = await this.engine.execute(Buffer.concat(messages));
        const response = Buffer.from(buffer);
        const { counts, status, error } = readResponse(response);
        if (isResponseMissing(messages, counts)) {
          this.transactionStatus = IDLE;
          await this.engine.abandon(error ?? 'The engine did not respond to a statement');
          return;
        }
        if (status !== undefined) {
          this.transactionStatus = status;
          if (status === IDLE) this.session.release(this);
        }
        if (!silent && response.length > 0 && !this.isClosed()) this.push(response);
      })
      .catch((error: unknown) => {
        // The engine is being replaced, which rolls the transaction back.
        this.transactionStatus = IDLE;
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      });
  }
}

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

function simpleQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write(CLIENT.query);
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

interface ResponseSummary {
  counts: Map<string, number>;
  status: string | undefined;
  /** The message of the last error. */
  error: string | undefined;
}

function readResponse(response: Buffer): ResponseSummary {
  const counts = new Map<string, number>();
  let status: string | undefined;
  let error: string | undefined;
  for (let at = 0; at + 5 <= response.length; at += response.readInt32BE(at + 1) + 1) {
    const type = String.fromCharCode(response[at] ?? 0);
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if (type === SERVER.ready) status = String.fromCharCode(response[at + 5] ?? 0);
    if (type === SERVER.error) error = messageIn(response.subarray(at + 5));
  }
  return { counts, status, error };
}

/** The message of an error, which is a list of fields: a type byte, text and NUL. */
function messageIn(error: Buffer): string | undefined {
  const fields = error.toString().split('\0');
  return fields.find((field) => field.startsWith('M'))?.slice(1);
}

/**
 * Whether the response is incomplete. PGlite ignores a JavaScript error thrown inside PostgreSQL,
 * such as a stack overflow: the statement has no response, which must not be treated as success.
 * When PostgreSQL aborts, as on a full disk, it responds with an error that no "ready" message
 * follows.
 */
function isResponseMissing(messages: Buffer[], counts: Map<string, number>): boolean {
  const count = (...types: string[]): number =>
    types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
  const sent = (...types: string[]): number =>
    messages.filter((message) => types.includes(typeOf(message))).length;
  const isStartUp = messages[0]?.[0] === 0;
  if (isStartUp) return false;
  const isReadyDue = sent(CLIENT.sync, CLIENT.query) > 0 && count(SERVER.copyIn) === 0;
  if (isReadyDue && count(SERVER.ready) === 0) return true;
  if (count(SERVER.error) > 0) return false;
  return (
    count(SERVER.parseDone) < sent(CLIENT.parse) ||
    count(SERVER.bindDone) < sent(CLIENT.bind) ||
    count(...STATEMENT_END_TYPES) < sent(CLIENT.execute, CLIENT.query)
  );
}
