import type { ActivityAction } from './activity-record.entity.js';
import { changesBetween, isEmpty, type Changes, type Snapshot } from './changes.js';

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
