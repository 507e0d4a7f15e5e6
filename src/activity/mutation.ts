import type { Snapshot } from '../records/record-fields.js';
import type { EntityType } from '../records/record-types.js';
import type { ActivityAction } from './activity-record.entity.js';
import { changesBetween, changesOfCreation, isEmpty, type Changes } from './changes.js';

/** The id of the record of an undo, and of the record that it takes back. */
export interface UndoIds {
  readonly id: string;
  readonly undoes: string;
}

/** The description of a mutation. */
export interface ActivityEntry extends Partial<UndoIds> {
  entityType: EntityType;
  entityId: string;
  /** The cycle whose feed shows the record. */
  cycleId?: string;
  action: ActivityAction;
  changes: Changes;
}

/** An entity whose changes the activity log records. */
export interface Recorded {
  readonly type: EntityType;
  readonly id: string;
  /** The cycle that it belongs to. */
  readonly cycleId?: string;
  /** The state that the log records. */
  snapshot: () => Snapshot;
  /** The action that the type of the entity has for a change; undefined: a general one. */
  actionOf?: (changes: Changes) => ActivityAction | undefined;
}

/** A record before and after a change; before null, it is new. */
export interface Change<Entity, Before = Entity> {
  before: Before;
  after: Entity;
  /** The undo that the change belongs to. */
  undo?: UndoIds;
}

export const creationOf = (entity: Recorded): ActivityEntry =>
  entryOf(entity, { action: 'created', changes: changesOfCreation(entity.snapshot()) });

/** The entry of a change; undefined when nothing changed. */
export function changeOf({ before, after, undo }: Change<Recorded>): ActivityEntry | undefined {
  const snapshots = { before: before.snapshot(), after: after.snapshot() };
  const mutation = describeMutation(snapshots, (changes) => after.actionOf?.(changes));
  return mutation && entryOf(after, mutation, undo);
}

/** The entry of a deletion of an active entity. */
export const deactivationOf = (
  entity: Pick<Recorded, 'type' | 'id' | 'cycleId'>,
  undo?: UndoIds,
): ActivityEntry =>
  entryOf(entity, { action: 'deactivated', changes: { active: { from: true, to: false } } }, undo);

/** The entry of the undo of a deletion. */
export const reactivationOf = (
  entity: Pick<Recorded, 'type' | 'id' | 'cycleId'>,
  undo: UndoIds,
): ActivityEntry =>
  entryOf(entity, { action: 'reactivated', changes: { active: { from: false, to: true } } }, undo);

const entryOf = (
  { type, id, cycleId }: Pick<Recorded, 'type' | 'id' | 'cycleId'>,
  mutation: Pick<ActivityEntry, 'action' | 'changes'>,
  undo?: UndoIds,
): ActivityEntry => ({
  id: undo?.id,
  undoes: undo?.undoes,
  entityType: type,
  entityId: id,
  cycleId: type === 'cycle' ? id : cycleId,
  ...mutation,
});

/**
 * The changes between two snapshots of an entity, and the most specific action for them.
 *
 * @param specific returns an action specific to the entity type, or undefined
 * @returns undefined when nothing changed
 */
export function describeMutation(
  snapshots: { before: Snapshot; after: Snapshot },
  specific: (changes: Changes) => ActivityAction | undefined = () => undefined,
): { action: ActivityAction; changes: Changes } | undefined {
  const changes = changesBetween(snapshots);
  if (isEmpty(changes)) return undefined;
  return { action: specific(changes) ?? activeAction(changes) ?? 'updated', changes };
}

function activeAction({ active }: Changes): ActivityAction | undefined {
  if (!active) return undefined;
  return active.to === true ? 'reactivated' : 'deactivated';
}
