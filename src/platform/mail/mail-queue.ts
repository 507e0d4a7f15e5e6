import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { NodemailerError } from 'nodemailer';
import pLimit, { type LimitFunction } from 'p-limit';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import { Metrics } from '../metrics/metrics.js';
import { completesWithin } from '../process/completes-within.js';
import { sendMailWith, type Mail, type SendMail } from './mail.js';

/** The maximum in a process; mails that are being sent or wait for another try count. */
const MAX_MAILS = 100;
/** Requests for mails, which are read from the database before that. */
const MAX_PREPARATIONS = 1000;
const CONCURRENT_PREPARATIONS = 2;
/**
 * A preparation begins after up to this time, at random: the time of the responses that follow the
 * request does not show whether its preparation takes long.
 */
const MAX_DELAY_MS = 1000;
/**
 * Connections to the server. Bulk mails have their own, so that a mail that somebody waits for never
 * waits for them.
 */
const CONNECTIONS = { requested: 4, bulk: 2 };

/** Bulk mails are at most so many of {@link MAX_MAILS}. */
const MAX_BULK_MAILS = 50;

/** The wait before each try. */
const TRY_AFTER_MS = [0, 30_000, 120_000];
const MAX_TRY_MS = 45_000;
/** The maximum of all tries of a mail and the waits between them. */
const MAX_DURATION_MS = 5 * 60_000;

/** How a mail is sent. */
interface Sending {
  connections: LimitFunction;
  isBulk: boolean;
}

/** What has become of a mail. */
export const MAIL_RESULTS = ['sent', 'failed', 'dropped'] as const;
export type MailResult = (typeof MAIL_RESULTS)[number];

/** How long a shutdown waits for mails. */
export const MAIL_SHUTDOWN_MS = 5000;

/**
 * Sends mails in the background. They are in memory alone: a process that ends takes those with it
 * that are not sent. What fails is counted and logged, without the address and the text.
 */
@Injectable()
export class MailQueue implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly preparations = pLimit(CONCURRENT_PREPARATIONS);
  private readonly requested: Sending = {
    connections: pLimit(CONNECTIONS.requested),
    isBulk: false,
  };
  private readonly bulkConnections = pLimit(CONNECTIONS.bulk);
  /** What is not done: preparations and mails. */
  private readonly pending = new Set<Promise<unknown>>();
  private waiting = { preparations: 0, mails: 0, bulkMails: 0 };
  /** Ends the waits between tries, and later the tries. */
  private readonly stopping = new AbortController();
  private readonly stopped = new AbortController();
  private readonly send?: SendMail;
  private readonly results;

  constructor(@Inject(SETTINGS) { mail }: Settings, metrics: Metrics) {
    if (mail) this.send = sendMailWith(mail);
    this.results = metrics.addCounter({
      name: 'mails_total',
      help: 'Mails by result: sent, failed after the last try, or dropped because too many wait',
      labelNames: ['result'],
    });
    // Each wait listens to it.
    setMaxListeners(0, this.stopping.signal);
    for (const result of MAIL_RESULTS) this.results.inc({ result }, 0);
  }

  /** Whether mails can be sent. */
  get isAvailable(): boolean {
    return this.send !== undefined;
  }

  /**
   * Sends the mail that the callback makes, or none if it returns null. Returns at once.
   */
  add(prepare: () => Promise<Mail | null>): void {
    if (this.waiting.preparations >= MAX_PREPARATIONS) {
      this.drop();
      return;
    }
    void this.await(this.prepareLater(prepare).then((mail) => mail && this.deliver(mail)));
  }

  /** Whether a bulk mail may be added. */
  get hasPlaceForBulk(): boolean {
    return this.waiting.bulkMails < MAX_BULK_MAILS;
  }

  /**
   * Sends a mail of many that nobody has requested, for which there must be a place: not again if the
   * server may have taken it.
   */
  addBulk(mail: Mail): Promise<MailResult> {
    this.waiting.bulkMails += 1;
    const sending = this.deliver(mail, { connections: this.bulkConnections, isBulk: true });
    return this.await(
      sending.finally(() => {
        this.waiting.bulkMails -= 1;
      }),
    );
  }

  /** A shutdown waits for the work. */
  private async await<Result>(work: Promise<Result>): Promise<Result> {
    this.pending.add(work);
    try {
      return await work;
    } finally {
      this.pending.delete(work);
    }
  }

  /** Waits for the mails, and tries those once more that wait for another try. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    if (await completesWithin(Promise.all(this.pending), MAIL_SHUTDOWN_MS)) return;
    this.stopped.abort();
    await Promise.all(this.pending);
  }

  private async prepareLater(prepare: () => Promise<Mail | null>): Promise<Mail | null> {
    this.waiting.preparations += 1;
    try {
      await this.wait(Math.random() * MAX_DELAY_MS);
      return await this.preparations(() => (this.stopped.signal.aborted ? null : prepare()));
    } catch (error) {
      this.fail('A mail is not prepared', error);
      return null;
    } finally {
      this.waiting.preparations -= 1;
    }
  }

  private async deliver(mail: Mail, sending = this.requested): Promise<MailResult> {
    if (this.waiting.mails >= MAX_MAILS) return this.drop();
    this.waiting.mails += 1;
    try {
      await this.tryToSend(mail, sending);
      this.results.inc({ result: 'sent' });
      return 'sent';
    } catch (error) {
      return this.fail('A mail is not sent', error);
    } finally {
      this.waiting.mails -= 1;
    }
  }

  /** @throws NodemailerError of the last try; ExpiredError */
  private async tryToSend(mail: Mail, { connections, isBulk }: Sending): Promise<void> {
    const deadline = performance.now() + MAX_DURATION_MS;
    for (const [n, delay] of TRY_AFTER_MS.entries()) {
      await this.wait(delay);
      const isStopping = this.stopping.signal.aborted;
      try {
        await connections(() => this.sendWithin(mail, deadline - performance.now()));
        return;
      } catch (error) {
        const { permanent = false } = error as NodemailerError;
        const { [n + 1]: nextDelay = Infinity } = TRY_AFTER_MS;
        const isLast = isStopping || performance.now() + nextDelay >= deadline;
        if (isLast || permanent || this.stopped.signal.aborted) throw error;
        if (isBulk && mayBeTaken(error)) throw error;
        this.logger.warn(`A mail is not sent, another try follows: ${reasonOf(error)}`);
      }
    }
  }

  /** Waits, but not longer than until a shutdown begins. */
  private async wait(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** @throws NodemailerError; ExpiredError if no time is left */
  private async sendWithin(mail: Mail, milliseconds: number): Promise<void> {
    if (!this.send) throw new Error('No mail server is configured');
    if (milliseconds <= 0) throw new ExpiredError();
    const timeout = AbortSignal.timeout(Math.ceil(Math.min(milliseconds, MAX_TRY_MS)));
    await this.send(mail, AbortSignal.any([timeout, this.stopped.signal]));
  }

  private drop(): 'dropped' {
    this.results.inc({ result: 'dropped' });
    this.logger.warn('A mail is dropped: too many wait');
    return 'dropped';
  }

  private fail(event: string, error: unknown): 'failed' {
    this.results.inc({ result: 'failed' });
    this.logger.error(`${event}: ${reasonOf(error)}`);
    return 'failed';
  }
}

/** Whether the server was reached and has not refused the mail. */
function mayBeTaken(error: unknown): boolean {
  const { code, responseCode, syscall } = error as NodemailerError & NodeJS.ErrnoException;
  return responseCode === undefined && code !== 'EDNS' && syscall !== 'connect';
}

/** The time of a mail ended while it waited for a connection. */
class ExpiredError extends Error {
  readonly code = 'EXPIRED';
}

/**
 * Why a mail is not sent. Of errors of servers not the message, in which they repeat addresses.
 */
function reasonOf(error: unknown): string {
  const { stack, code, responseCode, command } = error as NodemailerError;
  return code === undefined
    ? String(stack)
    : [code, responseCode, command].filter(Boolean).join(' ');
}
