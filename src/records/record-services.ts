import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Undo } from '../activity/undo.js';
import type { Scope } from '../platform/database/database.js';
import { RECORD_KINDS, STORED_KINDS } from './record-kinds.js';
import { ENTITY_TYPES, type EntityType } from './record-types.js';

/** Gives what concerns a record of any kind to the service of its kind. */
@Injectable()
export class RecordServices {
  constructor(private readonly moduleRef: ModuleRef) {}

  /** The user's present records by their ids, as their endpoints show them; one read for each kind. */
  async representations(
    scope: Scope,
    records: readonly { type: EntityType; id: string }[],
  ): Promise<ReadonlyMap<string, object>> {
    const shown = new Map<string, object>();
    for (const type of ENTITY_TYPES) {
      const ids = records.filter((record) => record.type === type).map(({ id }) => id);
      if (ids.length === 0) continue;
      const service = this.moduleRef.get(RECORD_KINDS[type].service, { strict: false });
      for (const record of await service.listByIds(scope, [...new Set(ids)])) {
        if (record.id !== null) shown.set(record.id, record);
      }
    }
    return shown;
  }

  /** Takes a record of the activity log back, by the rules of its kind. */
  undo(scope: Scope, undo: Undo): Promise<void> {
    const service = this.moduleRef.get(STORED_KINDS[undo.type].service, { strict: false });
    return service.undo(scope, undo);
  }
}
