import { Global, Module } from '@nestjs/common';
import { ExpiredRows } from '../platform/database/expired-rows.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/**
 * Global, because the modules with an `@Idempotent()` route each have their instance of the
 * interceptor.
 */
@Global()
@Module({ providers: [IdempotencyRepository], exports: [IdempotencyRepository] })
export class IdempotencyModule {
  constructor(expiredRows: ExpiredRows) {
    expiredRows.register('idempotency_keys');
  }
}
