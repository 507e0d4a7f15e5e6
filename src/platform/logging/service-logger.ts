import { ConsoleLogger, type LoggerService, type LogLevel as NestLevel } from '@nestjs/common';
import { isatty } from 'node:tty';
import { pino, type Logger as Pino } from 'pino';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../config/environment.js';
import { LogEntry } from './log-entry.js';

const STDOUT = 1;

/** Bytes buffered while output is blocked; further lines are dropped. */
const MAX_BUFFERED_BYTES = 1_000_000;

/** Nest's names of the log levels. */
const NEST_LEVEL: Record<LogLevel, NestLevel> = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'log',
  debug: 'debug',
};

/** Contexts in which Nest logs its start-up; logged at debug level. */
const STARTUP_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestApplicationContext',
]);

/** Context of a failed start; the error is also thrown and printed by the entry point. */
const FAILED_START_CONTEXT = 'ExceptionHandler';

/** A logger that writes one JSON object per line, or text. */
export function createLogger(format: LogFormat, level: LogLevel): LoggerService {
  return format === 'json' ? new JsonLogger(level) : new TextLogger(level);
}

class TextLogger extends ConsoleLogger {
  constructor(minimum: LogLevel) {
    const logLevels = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(minimum) + 1);
    super({ logLevels: logLevels.map((level) => NEST_LEVEL[level]), colors: isatty(STDOUT) });
  }

  /** Shorter than Nest's. */
  protected override formatPid(pid: number): string {
    return `${pid}  `;
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (STARTUP_CONTEXTS.has(contextOf(rest))) this.debug(message, ...rest);
    else super.log(textOf(message), ...rest);
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(textOf(message), ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (contextOf(rest) === FAILED_START_CONTEXT) this.debug(message, ...rest);
    else super.error(textOf(message), ...rest);
  }
}

class JsonLogger implements LoggerService {
  private readonly pino: Pino;
  /** Child loggers by context, each with its context serialized. */
  private readonly children = new Map<string, Pino>();

  constructor(level: LogLevel) {
    // Synchronous, so that a crash loses no lines and writing needs no other thread.
    const output = pino.destination({ dest: STDOUT, sync: true, maxLength: MAX_BUFFERED_BYTES });
    // Such as a full disk: pino retries with the next line, and the service continues without its
    // log.
    output.on('error', () => undefined);
    this.pino = pino(
      {
        level,
        base: { pid: process.pid },
        messageKey: 'message',
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      output,
    );
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(STARTUP_CONTEXTS.has(contextOf(rest)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(contextOf(rest) === FAILED_START_CONTEXT ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: LogLevel, message: unknown, rest: unknown[]): void {
    const fields = message instanceof LogEntry ? message.fields : {};
    // Nest passes the stack of an error between the message and the context.
    const [stack] = rest.length > 1 ? rest : [];
    this.childOf(contextOf(rest))[level](
      typeof stack === 'string' ? { ...fields, stack } : fields,
      message instanceof LogEntry ? message.message : String(message),
    );
  }

  private childOf(context: string): Pino {
    const child = this.children.get(context) ?? this.pino.child({ context });
    this.children.set(context, child);
    return child;
  }
}

const textOf = (message: unknown): unknown =>
  message instanceof LogEntry ? message.toString() : message;

/** Nest's loggers take the context last. */
function contextOf(rest: unknown[]): string {
  return String(rest.at(-1));
}
