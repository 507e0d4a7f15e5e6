import { Inject, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { isAllowedOrigin } from '../platform/http/cross-origin.js';
import { AssistantsController } from './assistants.controller.js';
import { AssistantsService } from './assistants.service.js';
import { OperationClient } from './operation-client.js';

@Module({
  controllers: [AssistantsController],
  providers: [AssistantsService, OperationClient],
})
export class AssistantsModule implements NestModule {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Refuses pages of origins that are not allowed before anything else: a page could reach a service
   * that only the machine of its reader can reach (DNS rebinding).
   */
  configure(consumer: MiddlewareConsumer): void {
    const { corsOrigins } = this.settings;
    consumer
      .apply((request: Request, _response: Response, next: NextFunction) => {
        const { origin } = request.headers;
        const isRefused = origin !== undefined && !isAllowedOrigin(corsOrigins, origin);
        next(
          isRefused
            ? new DomainError('FORBIDDEN', 'This origin is not in CORS_ORIGINS')
            : undefined,
        );
      })
      .forRoutes(AssistantsController);
  }
}
