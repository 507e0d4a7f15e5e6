import { Global, Module } from '@nestjs/common';
import { IdempotencyRepository } from './idempotency.repository.js';

/**
 * Global, because the modules with an `@Idempotent()` route each have their instance of the
 * interceptor.
 */
@Global()
@Module({ providers: [IdempotencyRepository], exports: [IdempotencyRepository] })
export class IdempotencyModule {}
