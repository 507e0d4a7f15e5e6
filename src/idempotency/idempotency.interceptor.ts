import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { EntityManager } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { OPERATION_ID_HEADER } from '../platform/http/operation-id.interceptor.js';
import { ApiResponseHeader } from '../platform/openapi/response-header.decorator.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { hashOfRequest, IDEMPOTENCY_KEY_HEADER, parseIdempotencyKey } from './idempotency-key.js';
import {
  IdempotencyRepository,
  tooManyBytes,
  type StoredResponse,
} from './idempotency.repository.js';

/** The header of a response to a request that was sent before. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

const OPTIONS = Symbol('IDEMPOTENT');

/** While a request with the same key is running. */
const RETRY_AFTER_SECONDS = 1;

interface IdempotentOptions {
  /**
   * The field of the response with a secret that is shown once; null where the response is sent
   * again.
   */
  secretField?: string;
  /** Whether the request writes nothing; its key is ignored. */
  isDryRun?: (request: Request) => boolean;
  /** Whether the response can be much longer than the request, so that its bytes are counted. */
  hasLongResponse?: boolean;
}

type KeyedRequest = Omit<IdempotentOptions, 'isDryRun'> & { user: AuthenticatedUser; key: string };

/**
 * Thrown in place of running a request again; it ends the transaction that has done nothing yet.
 */
class Replay extends Error {
  constructor(readonly response: StoredResponse) {
    super('The request has already been processed');
  }
}

/**
 * Makes a POST with an `Idempotency-Key` safe to repeat: its response is stored in the transaction
 * of its effect, and sent again for the same request. That transaction encloses the handler and its
 * pipes, so that a request that fails leaves its key unused.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRepository,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request & { user: AuthenticatedUser }>();
    const header = request.get(IDEMPOTENCY_KEY_HEADER);
    const options = this.reflector.get<IdempotentOptions>(OPTIONS, context.getHandler());
    if (header === undefined || options.isDryRun?.(request)) return next.handle();
    const key = parseIdempotencyKey(header);
    return from(this.respond(context, next, { user: request.user, key, ...options }));
  }

  private async respond(
    context: ExecutionContext,
    next: CallHandler,
    { user, key, secretField, hasLongResponse }: KeyedRequest,
  ): Promise<unknown> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const hash = hashOfRequest(http.getRequest<Request>());
    try {
      return await this.database.enclosingTransaction(user, async (manager) => {
        await this.claim(manager, user, { key, hash }, response);
        const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
        const stored = body === undefined ? null : JSON.stringify(withoutSecret(body, secretField));
        if (hasLongResponse) await this.records.assertStorable(manager, user, stored); // 409
        this.records.store(manager, user, key, {
          request_hash: hash,
          status: response.statusCode,
          body: stored,
        });
        return body;
      });
    } catch (error) {
      if (!(error instanceof Replay)) throw error;
      const { status, body, operation_id: operationId } = error.response;
      response.setHeader(REPLAYED_HEADER, 'true');
      if (operationId !== null) response.setHeader(OPERATION_ID_HEADER, operationId);
      response.status(status);
      return body === null ? undefined : (JSON.parse(body) as unknown);
    }
  }

  /** @throws Replay; DomainError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
  private async claim(
    manager: EntityManager,
    user: AuthenticatedUser,
    { key, hash }: { key: string; hash: string },
    response: Response,
  ): Promise<void> {
    const { isLocked, stored } = await this.records.lockAndFind(manager, user, key);
    if (stored?.request_hash === hash) throw new Replay(stored);
    if (stored) {
      throw new DomainError(
        'IDEMPOTENCY_KEY_REUSED',
        'Another request was sent with this Idempotency-Key',
        { resource_id: createdId(stored) },
      );
    }
    if (!isLocked) {
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      throw new DomainError(
        'IDEMPOTENCY_KEY_IN_USE',
        'A request with this Idempotency-Key is still running',
      );
    }
  }
}

/** The id of the record that a request has created; undefined if it created none, or several. */
function createdId({ status, body }: StoredResponse): string | undefined {
  if (status !== 201 || body === null) return undefined;
  return (JSON.parse(body) as { id?: string }).id;
}

/** A secret that is shown once is not stored. */
function withoutSecret(body: unknown, field: string | undefined): unknown {
  return field === undefined ? body : { ...(body as object), [field]: null };
}

/**
 * The route takes an `Idempotency-Key`. `Intercepted` binds this interceptor after the one that reads
 * the body, with which it compares that of an earlier request.
 */
export const Idempotent = (options: IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    SetMetadata(OPTIONS, options),
    ApiHeader({
      name: IDEMPOTENCY_KEY_HEADER,
      required: false,
      description:
        'Makes the request safe to repeat: sent again with the same key within 24 hours, it has no ' +
        'effect and gets the first response. Any 1 to 255 visible ASCII characters, such as a UUID',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiErrors('IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'),
    ...(options.hasLongResponse ? [ApiErrors(tooManyBytes())] : []),
    ApiResponseHeader(
      REPLAYED_HEADER,
      '`true` when this is the response to an earlier request with the same `Idempotency-Key`',
      'true',
    ),
  );
