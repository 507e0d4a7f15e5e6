import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allInOrder } from '#postgres';
import { advisoryLockId } from '../platform/database/advisory-lock.js';
import { send } from '../platform/database/send.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { Requester } from '../platform/values/requester.js';
import type { Owner } from '../platform/values/user-id.js';

export interface StoredResponse {
  request_hash: string;
  status: number;
  /** JSON; null for a response without a body. */
  body: string | null;
  /** Of the activity records that the request wrote; null: none. */
  operation_id: string | null;
}

/** Released at the end of the transaction. */
const LOCK = `SELECT pg_try_advisory_xact_lock($1) AS "isLocked"`;

/**
 * A process of a version that does not store `operation_id` leaves that of the expired response in
 * the row that it replaces; the records of that request are older than the row by a day or more.
 * $1 the household, $2 the user, $3 the key.
 */
const FIND = `
  SELECT stored.request_hash, stored.status, stored.body, record.operation_id
  FROM idempotency_keys AS stored
  LEFT JOIN LATERAL (
    SELECT operation_id FROM activity_log
    WHERE household_id = $1 AND operation_id = stored.operation_id
      AND created_at > stored.created_at - interval '1 hour'
    LIMIT 1
  ) AS record ON true
  WHERE stored.household_id = $1 AND stored.user_id = $2 AND stored.key = $3
    AND stored.expires_at > now()`;

/**
 * Of the longer responses that are stored for a user: with a small request that has a large
 * response, one user could fill the disk.
 */
const MAX_STORED_BYTES = 20_000_000;
/** Shorter responses, as most requests have, do not count. */
const MIN_COUNTED_BYTES = 4096;

/** $1 the household, $2 the user. */
const COUNT_BYTES = `
  SELECT coalesce(sum(octet_length(body)), 0)::float8 AS bytes FROM idempotency_keys
  WHERE household_id = $1 AND user_id = $2 AND expires_at > now() AND octet_length(body) >= ${MIN_COUNTED_BYTES}`;

/** Replaces a record that has expired and was not removed yet. */
const STORE = `
  INSERT INTO idempotency_keys (household_id, user_id, key, request_hash, status, body, operation_id, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '24 hours')
  ON CONFLICT (household_id, user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
    status = excluded.status, body = excluded.body, operation_id = excluded.operation_id,
    created_at = excluded.created_at, expires_at = excluded.expires_at`;

@Injectable()
export class IdempotencyRepository {
  /**
   * Locks the key until the transaction ends, unless another transaction has locked it, and returns
   * the response that is stored under it. Both statements take one round trip. The second one sees
   * what a transaction stored that released the lock before the first one.
   */
  async lockAndFind(
    manager: EntityManager,
    user: Owner,
    key: string,
  ): Promise<{ isLocked: boolean; stored: StoredResponse | undefined }> {
    const [[lock], [stored]] = await allInOrder([
      manager.query<{ isLocked: boolean }[]>(LOCK, [advisoryLockId(`${user.id} ${key}`)]),
      manager.query<StoredResponse[]>(FIND, [user.householdId, user.id, key]),
    ]);
    return { isLocked: lock?.isLocked ?? false, stored };
  }

  /**
   * To be called before {@link store}, if the response can be much longer than its request.
   *
   * @throws DomainError RESOURCE_CONFLICT when the responses of the user would take too many bytes
   */
  async assertStorable(manager: EntityManager, user: Owner, body: string | null): Promise<void> {
    const bytes = Buffer.byteLength(body ?? '');
    if (bytes < MIN_COUNTED_BYTES) return;
    const parameters = [user.householdId, user.id];
    const [stored] = await manager.query<{ bytes: number }[]>(COUNT_BYTES, parameters);
    if (bytes + (stored?.bytes ?? 0) > MAX_STORED_BYTES) throw tooManyBytes();
  }

  store(
    manager: EntityManager,
    user: Requester,
    key: string,
    { request_hash: hash, status, body }: Omit<StoredResponse, 'operation_id'>,
  ): void {
    const { householdId, id, operationId } = user;
    send(manager, STORE, [householdId, id, key, hash, status, body, operationId]);
  }
}

export const tooManyBytes = (): DomainError =>
  new DomainError(
    'RESOURCE_CONFLICT',
    `The stored responses of requests with an Idempotency-Key may take ${MAX_STORED_BYTES} bytes; send this request without one`,
    { resource: 'account', limit: MAX_STORED_BYTES },
  );
