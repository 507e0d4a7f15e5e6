import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { sendTogether } from '#postgres';
import { advisoryLockId } from '../platform/database/advisory-lock.js';
import { query } from '../platform/database/query.js';
import { send } from '../platform/database/send.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { Requester } from '../platform/values/requester.js';
import type { Owner } from '../platform/values/user-id.js';

export interface StoredResponse {
  request_hash: string;
  status: number;
  /** JSON; null for a response without a body. */
  body: string | null;
  /** The operation of the activity records that the request wrote; null: none. */
  operation_id: string | null;
}

/**
 * The bytes of the longer responses that are stored for a user: with a small request that has a
 * large response, one user could fill the disk.
 */
const MAX_STORED_BYTES = 20_000_000;
/** Shorter responses, as most requests have, do not count. */
const MIN_COUNTED_BYTES = 4096;

@Injectable()
export class IdempotencyRepository {
  /**
   * Locks the key until the transaction ends, unless another transaction has locked it, and returns
   * the response that is stored under it. Both statements take one round trip. The second one sees
   * what a transaction stored that released the lock before the first one.
   *
   * A process of a version that does not store `operation_id` leaves that of the expired response
   * in the row that it replaces; the records of that request are older than the row by a day or
   * more.
   */
  async lockAndFind(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    key: string,
  ): Promise<{ isLocked: boolean; stored: StoredResponse | undefined }> {
    const [[lock], [stored]] = await sendTogether([
      query<{ isLocked: boolean }>(
        manager,
        sql`SELECT pg_try_advisory_xact_lock(${advisoryLockId(`${userId} ${key}`)}) AS "isLocked"`,
      ),
      query<StoredResponse>(
        manager,
        sql`
          SELECT stored.request_hash, stored.status, stored.body, record.operation_id
          FROM idempotency_keys AS stored
          LEFT JOIN LATERAL (
            SELECT operation_id FROM activity_log
            WHERE household_id = ${householdId} AND operation_id = stored.operation_id
              AND created_at > stored.created_at - interval '1 hour'
            LIMIT 1
          ) AS record ON true
          WHERE stored.household_id = ${householdId} AND stored.user_id = ${userId}
            AND stored.key = ${key} AND stored.expires_at > now()`,
      ),
    ]);
    return { isLocked: lock?.isLocked ?? false, stored };
  }

  /**
   * Must be called before {@link store}, if the response can be much longer than its request.
   *
   * @throws DomainError RESOURCE_CONFLICT when the responses of the user would take too many bytes
   */
  async assertStorable(
    manager: EntityManager,
    { id: userId, householdId }: Owner,
    body: string | null,
  ): Promise<void> {
    const bytes = Buffer.byteLength(body ?? '');
    if (bytes < MIN_COUNTED_BYTES) return;
    const [stored] = await query<{ bytes: number }>(
      manager,
      sql`
        SELECT coalesce(sum(octet_length(body)), 0)::float8 AS bytes FROM idempotency_keys
        WHERE household_id = ${householdId} AND user_id = ${userId} AND expires_at > now()
          AND octet_length(body) >= ${MIN_COUNTED_BYTES}`,
    );
    if (bytes + (stored?.bytes ?? 0) > MAX_STORED_BYTES) throw tooManyBytes();
  }

  /** Replaces a record that has expired and was not removed yet. */
  store(
    manager: EntityManager,
    { id: userId, householdId, operationId }: Requester,
    key: string,
    { request_hash: hash, status, body }: Omit<StoredResponse, 'operation_id'>,
  ): void {
    send(
      manager,
      sql`
        INSERT INTO idempotency_keys
          (household_id, user_id, key, request_hash, status, body, operation_id, expires_at)
        VALUES (${householdId}, ${userId}, ${key}, ${hash}, ${status}, ${body}, ${operationId},
          now() + interval '24 hours')
        ON CONFLICT (household_id, user_id, key) DO UPDATE SET request_hash = excluded.request_hash,
          status = excluded.status, body = excluded.body, operation_id = excluded.operation_id,
          created_at = excluded.created_at, expires_at = excluded.expires_at`,
    );
  }
}

export const tooManyBytes = (): DomainError =>
  new DomainError(
    'RESOURCE_CONFLICT',
    `The stored responses of requests with an Idempotency-Key may take ${MAX_STORED_BYTES} bytes; send this request without one`,
    { resource: 'account', limit: MAX_STORED_BYTES },
  );
