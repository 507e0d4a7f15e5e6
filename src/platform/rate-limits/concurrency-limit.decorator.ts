import {
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DomainError } from '../errors/domain-error.js';
import { disconnection } from '../http/request-end.js';
import { FairQueue } from '../process/fair-queue.js';
import { idOfUser, type LimitedRequest } from './policies.js';

/** When a client whose request was refused may try again. */
const RETRY_AFTER_SECONDS = 5;

interface Limit {
  /** What takes long, in the message of a refusal: `exports`. */
  work: string;
  /** Requests that are handled at a time in a process, one of each user. */
  max: number;
  /** Requests that wait for that, as long as their clients do. */
  maxWaiting: number;
  maxWaitingOfUser: number;
  /** How long a request waits at most. */
  timeoutMs?: number;
}

/** Handles few requests at a time, those of users in turns, so that others are served meanwhile. */
class ConcurrencyLimitInterceptor implements NestInterceptor {
  private readonly queue: FairQueue<string>;

  constructor({ work, max, maxWaiting, maxWaitingOfUser, timeoutMs }: Limit) {
    this.queue = new FairQueue({
      max,
      maxOfKey: () => 1,
      maxWaiting,
      maxWaitingOfKey: maxWaitingOfUser,
      timeoutMs,
      refusal: () =>
        new DomainError('SERVICE_UNAVAILABLE', `Too many ${work} are waiting; try again later`, {
          retry_after: RETRY_AFTER_SECONDS,
        }),
    });
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const user = idOfUser(http.getRequest<LimitedRequest>());
    const signal = disconnection(http.getResponse<Response>());
    return from(this.queue.run(user, () => lastValueFrom(next.handle()), signal));
  }
}

/**
 * Limits how many requests of the routes that have this decorator are handled at a time in a
 * process, until their responses begin.
 *
 * @throws DomainError SERVICE_UNAVAILABLE for a request that cannot wait
 */
export const concurrencyLimit = (limit: Limit): MethodDecorator =>
  UseInterceptors(new ConcurrencyLimitInterceptor(limit));
