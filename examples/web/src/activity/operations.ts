/** What was done, each request as one operation with all records that it wrote. */
import type { Schemas } from 'expense-service-client';

export type ActivityRecord = Schemas['ActivityResponse'];

export interface Operation {
  /** For an undo; null where it was no request, or one of an old version. */
  id: string | null;
  /** The newest first. */
  records: [ActivityRecord, ...ActivityRecord[]];
  /** The undo of it, the undo of that, and so on, the oldest first. */
  undos: Operation[];
}

/** Commands write records without an operation: what they write in a minute is one. */
const keyOf = ({ operation_id, actor_user_id, cycle_id, created_at }: ActivityRecord): string =>
  operation_id ?? [actor_user_id, cycle_id, created_at.slice(0, 16)].join(' ');

/**
 * The newest first.
 *
 * @param records the newest first
 */
export function operationsOf(records: readonly ActivityRecord[]): Operation[] {
  const byKey = new Map<string, Operation>();
  for (const record of records) {
    const operation = byKey.get(keyOf(record));
    if (operation) operation.records.push(record);
    else byKey.set(keyOf(record), { id: record.operation_id, records: [record], undos: [] });
  }
  /** By the ids of records, what was done before it was undone. */
  const firsts = new Map<string, Operation>();
  const operations: Operation[] = [];
  for (const operation of [...byKey.values()].reverse()) {
    const undone = operation.records.map(({ undoes }) => firsts.get(undoes ?? ''));
    const first = undone.find((each) => each !== undefined);
    if (first) first.undos.push(operation);
    else operations.unshift(operation);
    for (const { id } of operation.records) firsts.set(id, first ?? operation);
  }
  return operations;
}

/** Whether it is taken back at present, for an undo can itself be undone. */
export const isUndone = ({ undos }: Operation): boolean => undos.length % 2 === 1;

/** A closing is not taken back: it carries over entries, and the next cycle may have begun. */
export const isClosing = ({ records }: Operation): boolean =>
  records.some(({ action }) => action === 'completed');

/** Of each entity one record, with all that an operation has changed of it; the newest first. */
export function mergedByEntity(records: readonly ActivityRecord[]): ActivityRecord[] {
  const byId = new Map<string, ActivityRecord>();
  for (const record of records.toReversed()) {
    const before = byId.get(record.entity_id);
    const changes = { ...before?.changes };
    for (const [field, { from, to }] of Object.entries(record.changes))
      changes[field] = { from: changes[field] ? changes[field].from : from, to };
    const action = before?.action === 'created' ? 'created' : record.action;
    byId.set(record.entity_id, { ...record, action, changes });
  }
  return [...byId.values()].reverse();
}

/** What names an operation: its cycle or its statement rather than their entries. */
export function mainRecordOf({ records }: Operation): ActivityRecord | undefined {
  const ofCycle = records.find(
    ({ entity_type: type, action }) =>
      type === 'cycle' && /^(created|deactivated|reactivated|completed)$/.test(action),
  );
  const merged = mergedByEntity(records);
  const isStatement = (record: ActivityRecord) => record.entity_type === 'card_statement';
  return ofCycle ?? merged.find(isStatement) ?? (merged.length === 1 ? merged[0] : undefined);
}
