import { ConsoleLogger } from '@nestjs/common';

/** Nest's account of how it puts the application together: of use in debugging alone. */
const ASSEMBLY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** A failed start, which is thrown as well: whoever starts the service says it better. */
const FAILED_START = 'ExceptionHandler';

export class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (ASSEMBLY.has(contextOf(rest))) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (contextOf(rest) === FAILED_START) this.debug(message, ...rest);
    else super.error(message, ...rest);
  }
}

/** Nest's loggers take the context last. */
function contextOf(rest: unknown[]): string {
  return String(rest.at(-1));
}
