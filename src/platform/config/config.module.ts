import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Settings } from './settings.js';

/** Injection token of the {@link Settings}. */
export const SETTINGS = Symbol('SETTINGS');

@Global()
@Module({})
export class ConfigModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
