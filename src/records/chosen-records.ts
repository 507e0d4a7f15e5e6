import type { Scope } from '../platform/database/database.js';
import type { RowLock } from '../platform/database/repositories.js';
import { ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { ResourceName } from '../platform/errors/error-types.js';
import type { NamedRecordsRepository } from './named-records.js';
import type { NamedRecord } from './stored-record.js';

/** Recorded values of a record, by the names of the API. */
type RecordedValues = Readonly<Record<string, unknown>>;

/** The records of one kind that others choose: they have its id in a field, or null. */
export abstract class ChosenRecords<Chosen extends NamedRecord> {
  /** @param field of other records that has the id, by its name in the API */
  constructor(
    private readonly repository: NamedRecordsRepository<Chosen>,
    private readonly resource: ResourceName,
    private readonly field: string,
  ) {}

  /**
   * The record with an id, active or not, locked against changes until the transaction ends.
   *
   * @param id null (none) and undefined (as it is) are returned
   * @param lock `update`: another transaction waits even for a lock against changes
   * @throws ResourceNotFoundError
   */
  async lock(scope: Scope, id: string, lock?: RowLock): Promise<Chosen>;
  async lock<None extends null | undefined>(
    scope: Scope,
    id: string | None,
    lock?: RowLock,
  ): Promise<Chosen | None>;
  async lock<None>(scope: Scope, id: string | None, lock?: RowLock): Promise<Chosen | None> {
    if (typeof id !== 'string') return id;
    const record = await this.repository.lock(scope, id, lock);
    if (!record) throw new ResourceNotFoundError(this.resource);
    return record;
  }

  /**
   * Records like {@link lock}, with one statement.
   *
   * @param ids in the order of the result; by default all that the user has
   * @param lock `update`: another transaction waits even for a lock against changes
   * @throws ResourceNotFoundError with the index of the first one that does not exist
   */
  async lockAll(scope: Scope, ids?: readonly string[], lock?: RowLock): Promise<Chosen[]>;
  async lockAll<None extends null | undefined>(
    scope: Scope,
    ids: readonly (string | None)[],
    lock?: RowLock,
  ): Promise<(Chosen | None)[]>;
  async lockAll<None>(
    scope: Scope,
    ids?: readonly (string | None)[],
    lock?: RowLock,
  ): Promise<(Chosen | None)[]> {
    if (!ids) return this.repository.lockAll(scope);
    const chosen = [...new Set(ids.filter((id) => typeof id === 'string'))];
    const records = chosen.length === 0 ? [] : await this.repository.lockAll(scope, chosen, lock);
    const byId = new Map(records.map((record) => [record.id, record]));
    return ids.map((id, index) => {
      if (typeof id !== 'string') return id;
      const record = byId.get(id);
      if (!record) throw new ResourceNotFoundError(this.resource, { index });
      return record;
    });
  }

  /** Like {@link lock}, the record that recorded values name, if it is another one. */
  lockRecorded(
    scope: Scope,
    current: string | null,
    values: RecordedValues,
  ): Promise<Chosen | null | undefined> {
    return this.lock(scope, this.recordedChoice(current, values));
  }

  /** Like {@link lockRecorded} for several records, with one statement. */
  lockAllRecorded(
    scope: Scope,
    records: readonly { current: string | null; values: RecordedValues }[],
  ): Promise<(Chosen | null | undefined)[]> {
    const chosen = records.map(({ current, values }) => this.recordedChoice(current, values));
    return this.lockAll(scope, chosen);
  }

  /** What recorded values choose, like {@link idIfChanged}. */
  private recordedChoice(
    current: string | null,
    values: RecordedValues,
  ): string | null | undefined {
    return idIfChanged(current, values[this.field] as string | null | undefined);
  }
}

/** What an update chooses; undefined if it is the current record. */
export const idIfChanged = <Choice extends string | null | undefined>(
  current: string | null,
  chosen: Choice,
): Choice | undefined => (chosen === current ? undefined : chosen);
