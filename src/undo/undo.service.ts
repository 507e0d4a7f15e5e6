import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ActivityService } from '../activity/activity.service.js';
import { Database } from '../platform/database/database.js';
import { STORED_KINDS } from '../record-kinds.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { UndoResponse } from './dto/undo.dto.js';

/**
 * Takes recorded changes back where nothing has changed the same fields since; the undo is recorded
 * and can be undone.
 */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly activity: ActivityService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Takes back the change in a record of an entity of the user, by the rules of the entity.
   *
   * @throws ResourceNotFoundError; DomainError CYCLE_ALREADY_COMPLETED, RESOURCE_CONFLICT when a
   *   field has changed since, CYCLE_NAME_EXISTS, INVALID_CYCLE_DATES, CURRENCY_CONVERSION_ERROR;
   *   LimitReachedError; ValidationFailedError
   */
  undo(user: AuthenticatedUser, recordId: string): Promise<UndoResponse> {
    return this.database.transaction(user, async (scope) => {
      const undo = await this.activity.getUndo(scope, recordId); // 404
      const service = this.moduleRef.get(STORED_KINDS[undo.type].service, { strict: false });
      await service.undo(scope, undo); // 404, 409, 422
      const [representation = null] = await service.listByIds(scope, [undo.entityId]);
      return {
        activity_id: undo.id,
        entity_type: undo.type,
        entity_id: undo.entityId,
        representation,
      };
    });
  }
}
