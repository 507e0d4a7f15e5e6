import { ConsoleLogger, type LoggerService, type LogLevel as NestLevel } from '@nestjs/common';
import { isatty } from 'node:tty';
import { pino, type Logger as Pino } from 'pino';
import { LogEntry } from '../common/log-entry.js';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../config/environment.js';

const STDOUT = 1;

/** Bytes of lines that cannot be written; what comes after them is lost. */
const LONGEST_BACKLOG = 1_000_000;

/** Nest's names for the log levels that the settings know. */
const NEST_LEVEL: Record<LogLevel, NestLevel> = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'log',
  debug: 'debug',
};

/** Nest's account of how it puts the application together: of use in debugging alone. */
const ASSEMBLY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestApplicationContext',
]);

/** A failed start, which is thrown as well: whoever starts the service says it better. */
const FAILED_START = 'ExceptionHandler';

/** One JSON object a line for machines, or readable text. */
export function createLogger(format: LogFormat, level: LogLevel): LoggerService {
  return format === 'json' ? new JsonLogger(level) : new TextLogger(level);
}

class TextLogger extends ConsoleLogger {
  constructor(least: LogLevel) {
    const logLevels = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(least) + 1);
    super({ logLevels: logLevels.map((level) => NEST_LEVEL[level]), colors: isatty(STDOUT) });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (ASSEMBLY.has(contextOf(rest))) this.debug(message, ...rest);
    else super.log(textOf(message), ...rest);
  }

  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(textOf(message), ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (contextOf(rest) === FAILED_START) this.debug(message, ...rest);
    else super.error(textOf(message), ...rest);
  }
}

class JsonLogger implements LoggerService {
  private readonly pino: Pino;
  /** By context, which each has written out already. */
  private readonly children = new Map<string, Pino>();

  constructor(level: LogLevel) {
    // At once: no crash takes lines along, and no thread has to be woken up to write them.
    const output = pino.destination({ dest: STDOUT, sync: true, maxLength: LONGEST_BACKLOG });
    // A full disk: lines are tried again with the next one. The service does without them.
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
    this.write(ASSEMBLY.has(contextOf(rest)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(contextOf(rest) === FAILED_START ? 'debug' : 'error', message, rest);
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
