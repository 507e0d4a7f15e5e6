import type { Type } from '@nestjs/common';
import type { ObjectType } from 'typeorm';
import type { EntityType } from '../activity/activity-record.entity.js';
import type { Recorded } from '../activity/mutation.js';
import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import type { StoredType } from './record-types.js';
import type { StoredRecord } from './stored-record.js';

interface Representation {
  id: string;
}

/** What `changes` needs of a service: the user's present records with these ids, in any order. */
export interface ListsByIds {
  listByIds(scope: Scope, ids: readonly string[]): Promise<Representation[]>;
}

/** What `undo` needs in addition: to take back a record of the activity log. */
export interface Undoes {
  undo(scope: Scope, undo: Undo): Promise<void>;
}

/** What is declared of a kind of records, in `*.kind.ts` of its module. */
export interface RecordKind<Name extends EntityType = EntityType> {
  /** Its name in the activity log, and the `resource` of errors. */
  readonly type: Name;
  /** The response of its endpoints. */
  readonly representation: Type<Representation>;
  readonly service: Type<ListsByIds>;
}

/** A kind whose changes are recorded and can be undone: all but comments. */
export interface StoredKind<Name extends StoredType = StoredType> extends RecordKind<Name> {
  readonly entity: ObjectType<StoredRecord & Recorded>;
  readonly service: Type<ListsByIds & Undoes>;
}
