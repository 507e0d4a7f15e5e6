import { Injectable } from '@nestjs/common';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
} from 'prom-client';

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/**
 * Prometheus metrics of the service, to which modules add their counters; docs/operations.md lists
 * them.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method, route template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  });

  readonly rateLimitHits = new Counter({
    name: 'rate_limit_hits_total',
    help: 'Requests refused with 429, by policy',
    labelNames: ['policy'],
    registers: [this.registry],
  });

  readonly rateLimitFallbacks = new Counter({
    name: 'rate_limit_fallbacks_total',
    help: 'Requests counted in memory because Redis was unavailable',
    registers: [this.registry],
  });

  readonly transactionRetries = new Counter({
    name: 'database_transaction_retries_total',
    help: 'Transactions run again after a deadlock or serialization failure',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds the counter of a module. */
  addCounter<Label extends string = never>(options: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...options, registers: [this.registry] });
  }

  /** Exports the state of the database connection pool. */
  observePool(
    pool: { totalCount: number; idleCount: number },
    connections: { waitingCount: number },
  ): void {
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections of the pool by state, and requests that wait for a connection',
      labelNames: ['state'],
      registers: [this.registry],
      collect(): void {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, connections.waitingCount);
      },
    });
  }
}
