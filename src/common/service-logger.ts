import { ConsoleLogger } from '@nestjs/common';

/** Nest's account of how it puts the application together: of use in debugging alone. */
const ASSEMBLY = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

export class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (ASSEMBLY.has(String(rest.at(-1)))) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
