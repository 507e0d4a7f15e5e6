import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { RemindersService } from './reminders.service.js';

const INTERVAL_MS = 15_000;

/** Looks regularly whether reminders are due, if they can be sent: in each process. */
@Injectable()
export class RemindersSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Reminders');
  private readonly stopping = new AbortController();
  private timer?: NodeJS.Timeout;
  private running = Promise.resolve();

  constructor(private readonly reminders: RemindersService) {}

  onApplicationBootstrap(): void {
    if (this.reminders.canBeSent) this.runLater();
  }

  /** Ends what runs, before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private runLater(): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run().then(() => this.runLater());
    }, INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends the reminders that are due. A failure is logged as a warning. */
  async run(): Promise<void> {
    try {
      await this.reminders.sendDue(this.stopping.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.logger.warn(`Reminders are not sent, next attempt in 15 s: ${String(error)}`);
    }
  }
}
