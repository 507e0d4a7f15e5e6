import { Injectable } from '@nestjs/common';
import { Database, type Scope } from '../platform/database/database.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import { RecordServices } from '../records/record-services.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import {
  listChanges,
  listEntities,
  readSnapshot,
  type EntityReference,
  type Positioned,
} from './changes.queries.js';
import { endOf, formatCursor, parseCursor, type Cursor, type Position } from './cursor.js';
import type { ChangeResponse, ChangesResponse } from './dto/changes.dto.js';

/**
 * What changed since a previous read, so that a client keeps a copy of the data without reading all
 * of it again.
 */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordServices,
  ) {}

  /**
   * A page of what changed since the cursor; without one, of everything that exists. Every later
   * commit is in a later page, whatever the order in which transactions began and committed.
   *
   * @throws ValidationFailedError for a text that is not a cursor of this database
   */
  list(
    user: AuthenticatedUser,
    query: { since?: string; limit: number },
  ): Promise<ChangesResponse> {
    return this.database.read(user, (scope) => this.pageOf(scope, query));
  }

  private async pageOf(
    scope: Scope,
    { since, limit }: { since?: string; limit: number },
  ): Promise<ChangesResponse> {
    const { snapshot, database } = await readSnapshot(scope.manager);
    const cursor: Cursor =
      since === undefined
        ? { database, since: null, until: null, after: null }
        : parseValid(since, { snapshot, database });
    const until = cursor.until ?? snapshot;
    // One more than the page, to know whether there are more.
    const found: Positioned<Position>[] =
      cursor.since === null
        ? await listEntities(scope, cursor.after, limit + 1)
        : await listChanges(scope, { ...cursor, until }, limit + 1);
    const page = found.slice(0, limit);
    const hasMore = found.length > limit;
    const after = page.at(-1)?.position;
    return {
      // The whole page: entities that were deleted since the query are reported as deleted.
      changes: await this.withRepresentations(scope, lastOfEach(page)),
      next: formatCursor(
        hasMore && after
          ? { database, since: cursor.since, until, after }
          : { database, since: until, until: null, after: null },
      ),
      has_more: hasMore,
    };
  }

  /** The references with what they refer to, read by one query of each type. */
  private async withRepresentations(
    scope: Scope,
    references: readonly EntityReference[],
  ): Promise<ChangeResponse[]> {
    const representations = await this.records.representations(
      scope,
      references.map(({ entity_type: type, entity_id: id }) => ({ type, id })),
    );
    return references.map(({ entity_type, entity_id, cycle_id }) => {
      const representation = representations.get(entity_id) ?? null;
      return {
        entity_type,
        entity_id,
        cycle_id,
        deleted: representation === null,
        representation,
      };
    });
  }
}

/** @throws ValidationFailedError */
function parseValid(text: string, now: { snapshot: string; database: string }): Cursor {
  const cursor = parseCursor(text);
  // Snapshots of the future are of another copy of the database, such as a restored one.
  const isOfThisDatabase =
    cursor?.database === now.database &&
    [cursor.since, cursor.until].every(
      (snapshot) => snapshot === null || endOf(snapshot) <= endOf(now.snapshot),
    );
  if (isOfThisDatabase) return cursor;
  throw new ValidationFailedError({
    since: [
      {
        reason: 'malformed',
        message:
          'since must be a cursor that an earlier response returned as next; omit it to start anew',
      },
    ],
  });
}

/** Each entity once, at its last position. */
function lastOfEach<Reference extends EntityReference>(
  references: readonly Reference[],
): Reference[] {
  const byId = new Map<string, Reference>();
  for (const reference of references) {
    byId.delete(reference.entity_id);
    byId.set(reference.entity_id, reference);
  }
  return [...byId.values()];
}
