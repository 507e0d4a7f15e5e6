import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { ReplicaLock } from '../platform/database/replica-lock.js';
import { describeUpdate, RateUpdatesService } from './rate-updates.service.js';

const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 60_000;

const EXAMPLE_WARNING =
  'Pesos are converted at 0.05 dollars, an example: set EXCHANGE_RATES_URL, or import rates (docs/operations.md)';

/**
 * Updates the rates at the start and once a day, in one process of all replicas, if
 * EXCHANGE_RATES_URL is set. The other processes check every hour whether that one still exists.
 * A start in production without it warns of the example rate.
 */
@Injectable()
export class RateUpdatesSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('ExchangeRates');
  private readonly lock: ReplicaLock;
  private readonly stopping = new AbortController();
  private timer?: NodeJS.Timeout;
  private running = Promise.resolve();

  constructor(
    private readonly updates: RateUpdatesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.lock = new ReplicaLock(settings.database, 'exchange rate updates');
  }

  async onApplicationBootstrap(): Promise<void> {
    const { exchangeRatesUrl, isProduction } = this.settings;
    if (exchangeRatesUrl !== undefined) {
      this.runAfter(0);
    } else if (isProduction && (await this.updates.hasExampleAlone())) {
      this.logger.warn(EXAMPLE_WARNING);
    }
  }

  /** Ends an update that runs, before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
    await this.lock.release();
  }

  private runAfter(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run().then((nextDelayMs) => this.runAfter(nextDelayMs));
    }, delayMs);
    this.timer.unref();
  }

  /**
   * Updates the rates, unless another process does. A failure is logged as a warning.
   *
   * @returns the delay until the next run, in milliseconds
   */
  async run(timeoutMs = TIMEOUT_MS): Promise<number> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      if (!(await this.lock.acquire())) return HOUR_MS;
      this.logger.log(describeUpdate(await this.updates.update(signal)));
      // So that not all installations ask the server at the same time.
      return 24 * HOUR_MS + Math.random() * HOUR_MS;
    } catch (error) {
      const { message } = error as Error;
      if (!this.stopping.signal.aborted) {
        this.logger.warn(`Exchange rates are not updated, next attempt in an hour: ${message}`);
      }
      return HOUR_MS;
    }
  }
}
