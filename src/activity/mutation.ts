import type { ActivityAction } from './activity-record.entity.js';
import { changesBetween, isEmpty, type Changes, type Snapshot } from './changes.js';

/**
 * What changed between two snapshots of an entity, and the most specific action that says so.
 *
 * @param specific the entity's own actions, more specific than being updated, deactivated or restored
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
