import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DomainError, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { Snapshot } from '../records/record-fields.js';
import { RECORD_TYPES, STORED_TYPES, type StoredType } from '../records/record-types.js';
import { COMMENT_ACTIONS, type ActivityRecord } from './activity-record.entity.js';
import type { Recorded } from './mutation.js';

/** What an entity does not lose: a creation is undone whatever their values are now. */
const CREATION_ONLY = ['id', 'created_at', 'updated_at'];

/** What an undo needs of a record, whose type may be one that only a later version has. */
export type RecordToUndo = Pick<
  ActivityRecord,
  'id' | 'entityType' | 'entityId' | 'cycleId' | 'operationId' | 'action' | 'changes'
>;

/**
 * The undo of a record of the activity log: what the record says is taken back, and that is
 * recorded.
 */
export class Undo {
  /** The id of the record that the undo writes. */
  readonly id = randomUUID();

  /** The type of the entity of the record. */
  readonly type: StoredType;

  /** @throws ResourceNotFoundError where the record is of a type that this version does not know */
  constructor(private readonly record: RecordToUndo) {
    this.type = STORED_TYPES.find((type) => type === record.entityType) ?? recordNotFound();
  }

  /** The id of the record that is undone. */
  get undoes(): string {
    return this.record.id;
  }

  /** The request that wrote the record; null: unknown. */
  get operationId(): string | null {
    return this.record.operationId;
  }

  get entityId(): string {
    return this.record.entityId;
  }

  /** The cycle that the entity is or belongs to. */
  get cycleId(): string | null {
    return this.record.cycleId;
  }

  /** Whether the record is about a comment on the entity. */
  get isOfComment(): boolean {
    return isOfComment(this.record);
  }

  /** The recorded values that the entity takes back. */
  get values(): Snapshot {
    const { action, changes } = this.record;
    if (action === 'created') return { active: false };
    return Object.fromEntries(Object.entries(changes).map(([field, { from }]) => [field, from]));
  }

  /**
   * Must be called with the locked entity before it takes back the values.
   *
   * @param cycle the cycle of an expense or income
   * @throws DomainError RESOURCE_CONFLICT when the record is about a comment, or when a field has
   *   changed since
   */
  assertPossible(entity: Recorded, cycle?: { active: boolean }): void {
    if (this.isOfComment) {
      throw new DomainError('RESOURCE_CONFLICT', 'A comment is edited or deleted by its author', {
        resource: 'comment',
      });
    }
    const changed = this.fieldsChangedSince(entity.snapshot());
    if (cycle?.active === false) changed.add('active');
    if (changed.size === 0) return;
    throw changedSince(this.type, [...changed]);
  }

  private fieldsChangedSince(present: Snapshot): Set<string> {
    const { action, changes } = this.record;
    const expected = Object.entries(changes)
      .filter(([field]) => action !== 'created' || !CREATION_ONLY.includes(field))
      .map(([field, { to }]) => [field, to] as const);
    // A deleted cycle or entry has changed, whatever the record is about. What an import created
    // inactive has nothing to take back.
    const isNotDeleted = RECORD_TYPES[this.type].isDeletable ? { active: true } : {};
    const isActive = action === 'created' ? { active: true } : {};
    return new Set(
      Object.entries({ ...isNotDeleted, ...Object.fromEntries(expected), ...isActive })
        .filter(([field, value]) => !isDeepStrictEqual(present[field] ?? null, value))
        .map(([field]) => field),
    );
  }
}

/** One of several undos is not possible; the cause is the error of this undo. */
export class FailedUndo extends Error {
  constructor(
    readonly undo: Undo,
    cause: unknown,
  ) {
    super('An undo is not possible', { cause });
  }
}

/** Whether a record is about a comment, which its author edits or deletes. */
export const isOfComment = ({ action }: Pick<ActivityRecord, 'action'>): boolean =>
  COMMENT_ACTIONS.some((ofComment) => ofComment === action);

/**
 * The record does not exist, or is about an entity of another user; the response does not reveal
 * which.
 */
export function recordNotFound(): never {
  throw new ResourceNotFoundError('activity_record');
}

/** The records of an operation that one undo takes back. */
export const MAX_RECORDS_OF_UNDO = 400;

export const tooManyRecords = (): DomainError =>
  new DomainError(
    'RESOURCE_CONFLICT',
    `The operation has more than ${MAX_RECORDS_OF_UNDO} records to undo; undo them one by one`,
    { resource: 'activity_record', limit: MAX_RECORDS_OF_UNDO },
  );

export const changedSince = (resource: StoredType, fields: readonly string[]): DomainError =>
  new DomainError('RESOURCE_CONFLICT', `It has changed since: ${fields.join(', ')}`, {
    resource,
    fields: Object.fromEntries(fields.map((field) => [field, [`${field} has changed since`]])),
  });
