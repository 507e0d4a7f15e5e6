import { Duplex } from 'node:stream';
import type { Engine } from './engine.js';
import type { SharedSession } from './session.js';

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

/** Client messages after which an answer is due. */
const ENDS_BATCH: ReadonlySet<string> = new Set([
  CLIENT.sync,
  CLIENT.query,
  CLIENT.flush,
  CLIENT.copyDone,
  CLIENT.copyFail,
]);

/** Message types sent by the server. */
const SERVER = { bindDone: '2', copyIn: 'G', error: 'E', parseDone: '1', ready: 'Z' } as const;
/** Each of these ends one statement: done, empty, suspended, or copying in or out. */
const ENDS_STATEMENT = ['C', 'I', 's', SERVER.copyIn, 'H'];

/** Transaction status "idle", in a ready message. */
const IDLE = 'I';

/**
 * What the `pg` driver takes for its socket. It cuts the bytes it is given into protocol messages and
 * hands them to the engine a batch at a time: up to a message that asks for an answer.
 */
export class WireStream extends Duplex {
  private received: Buffer = EMPTY;
  private batch: Buffer[] = [];
  private isStarted = false;
  private transactionStatus: string = IDLE;
  private lastRun: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: Engine,
    private readonly session: SharedSession,
  ) {
    super({ allowHalfOpen: false });
    session.join(this);
  }

  // The parts of a socket that the driver uses beside the stream.
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
    // Answers are pushed as they come.
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

  /** Like a closed connection: an open transaction is rolled back before the next client's turn. */
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

  /** The first message, the start-up, has no type byte before its length. */
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
      // The session may have served another client: this one finds it as new.
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
    if (!ENDS_BATCH.has(type)) return;
    this.run(this.batch);
    this.batch = [];
  }

  /** Asked anew after every wait. */
  private isGone(): boolean {
    return this.destroyed;
  }

  private run(messages: Buffer[], { silent = false } = {}): void {
    this.lastRun = this.lastRun
      .then(async () => {
        if (this.isGone()) return;
        await this.session.acquire(this);
        if (this.isGone()) return;
        const answer = Buffer.from(await this.engine.execute(Buffer.concat(messages)));
        const { counts, status, error } = readAnswer(answer);
        if (isAnswerMissing(messages, counts)) {
          this.transactionStatus = IDLE;
          await this.engine.abandon(error ?? 'The engine gave no answer to a statement');
          return;
        }
        if (status !== undefined) {
          this.transactionStatus = status;
          if (status === IDLE) this.session.release(this);
        }
        if (!silent && answer.length > 0 && !this.isGone()) this.push(answer);
      })
      .catch((error: unknown) => {
        // The engine is being replaced and knows nothing of this transaction any more.
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

interface Answer {
  counts: Map<string, number>;
  status: string | undefined;
  /** The message of the last error. */
  error: string | undefined;
}

function readAnswer(answer: Buffer): Answer {
  const counts = new Map<string, number>();
  let status: string | undefined;
  let error: string | undefined;
  for (let at = 0; at + 5 <= answer.length; at += answer.readInt32BE(at + 1) + 1) {
    const type = String.fromCharCode(answer[at] ?? 0);
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if (type === SERVER.ready) status = String.fromCharCode(answer[at + 5] ?? 0);
    if (type === SERVER.error) error = messageIn(answer.subarray(at + 5));
  }
  return { counts, status, error };
}

/** An error is a list of fields, each with its type first and NUL at its end. */
function messageIn(error: Buffer): string | undefined {
  const fields = error.toString().split('\0');
  return fields.find((field) => field.startsWith('M'))?.slice(1);
}

/**
 * PGlite swallows a JavaScript error thrown inside PostgreSQL, such as a stack overflow: the statement
 * then just has no answer, which must not pass for success. When PostgreSQL itself gives up, as on a full
 * disk, its last word is an error, and no "ready" follows that the driver could go on after.
 */
function isAnswerMissing(messages: Buffer[], answered: Map<string, number>): boolean {
  const count = (...types: string[]): number =>
    types.reduce((sum, type) => sum + (answered.get(type) ?? 0), 0);
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
    count(...ENDS_STATEMENT) < sent(CLIENT.execute, CLIENT.query)
  );
}
