import { Injectable } from '@nestjs/common';
import { ActivityService } from '../activity/activity.service.js';
import { FailedUndo, type Undo } from '../activity/undo.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { LedgerUndo } from '../ledger/undo/ledger-undo.js';
import { Database, type Scope } from '../platform/database/database.js';
import { awaitSent } from '../platform/database/send.js';
import { DomainError, LimitReachedError } from '../platform/errors/domain-error.js';
import { RecordServices } from '../records/record-services.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import type { OperationUndoResponse, UndoResponse } from './dto/undo.dto.js';
import { lockEntities } from './undo.queries.js';

/**
 * Takes recorded changes back where nothing has changed the same fields since; the undo is recorded
 * and can be undone.
 */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly activity: ActivityService,
    private readonly ledgerUndo: LedgerUndo,
    private readonly records: RecordServices,
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
      await this.records.undo(scope, undo); // 404, 409, 422
      if (await this.ledgerUndo.findUndoBeyondLimit(scope, [undo])) throw tooManyEntries(undo); // 409
      const shown = await this.representations(scope, [undo]);
      return toUndoResponse(undo, shown);
    });
  }

  /**
   * Takes back all records that one request of the user has written, the latest first, each as
   * {@link undo} does, or none of them. Entries of a cycle that it created, deleted or brought back
   * go with the cycle.
   *
   * @throws like {@link undo}, with the id of the record in `details.activity_id`;
   *   ResourceNotFoundError without records of the user; DomainError RESOURCE_CONFLICT when there
   *   are too many
   */
  undoOperation(user: AuthenticatedUser, operationId: string): Promise<OperationUndoResponse> {
    return this.database.transaction(user, async (scope) => {
      const undos = await this.activity.listUndosOfOperation(scope, operationId); // 404, 409
      await this.ledgerUndo.assertFewEntriesWithCycles(scope, undos); // 409
      await lockEntities(scope, undos);
      for (const batch of batchesOf(undos)) await this.undoBatch(scope, batch); // 404, 409, 422
      const beyond = await this.ledgerUndo.findUndoBeyondLimit(scope, undos);
      if (beyond) throw namingRecord(tooManyEntries(beyond), beyond); // 409
      const shown = await this.representations(scope, undos);
      return {
        operation_id: scope.operationId,
        undoes: operationId,
        records: undos.map((undo) => toUndoResponse(undo, shown)),
      };
    });
  }

  /** Undoes a record, or several of entries that {@link batchesOf} has put together. */
  private async undoBatch(scope: Scope, batch: [Undo, ...Undo[]]): Promise<void> {
    const [undo] = batch;
    try {
      if (batch.length > 1) {
        await this.ledgerUndo.undoEntries(scope, batch);
      } else {
        await this.records.undo(scope, undo);
        if (canBeTaken(undo)) await awaitSent(scope.manager);
      }
    } catch (error) {
      const failed = error instanceof FailedUndo ? error : { cause: error, undo };
      throw namingRecord(this.database.domainErrorOf(failed.cause), failed.undo);
    }
  }

  /** What the entities show now, by their ids, without deleted ones. */
  private representations(
    scope: Scope,
    undos: readonly Undo[],
  ): Promise<ReadonlyMap<string, object>> {
    return this.records.representations(
      scope,
      undos.map(({ type, entityId: id }) => ({ type, id })),
    );
  }
}

const toUndoResponse = (
  { id, type, entityId }: Undo,
  shown: ReadonlyMap<string, object>,
): UndoResponse => ({
  activity_id: id,
  entity_type: type,
  entity_id: entityId,
  representation: shown.get(entityId) ?? null,
});

/**
 * The undos in their order; those of different entries of one kind in one cycle that follow one
 * another are together.
 */
function batchesOf(undos: readonly Undo[]): [Undo, ...Undo[]][] {
  const batches: [Undo, ...Undo[]][] = [];
  for (const undo of undos) {
    const batch = batches.at(-1);
    if (batch && canJoin(batch, undo)) batch.push(undo);
    else batches.push([undo]);
  }
  return batches;
}

const canJoin = (batch: readonly Undo[], { type, cycleId, entityId }: Undo): boolean =>
  (type === 'cycle_expense' || type === 'cycle_income') &&
  batch.every((one) => one.type === type && one.cycleId === cycleId && one.entityId !== entityId);

/** Whether the undo restores a name or an occurrence that another entity may have meanwhile. */
const canBeTaken = ({ values }: Undo): boolean =>
  values.active === true || values.name !== undefined;

const tooManyEntries = ({ type }: Undo): LimitReachedError =>
  new LimitReachedError(type, MAX_ENTRIES);

/**
 * The error of the undo of an operation with the record that cannot be taken back. A comment may be
 * another user's: a 404 does not reveal its record.
 */
function namingRecord(error: unknown, { undoes, isOfComment }: Undo): unknown {
  if (!(error instanceof DomainError)) return error;
  const isHidden = isOfComment && error.code === 'RESOURCE_NOT_FOUND';
  return isHidden ? error : error.withDetails({ activity_id: undoes });
}
