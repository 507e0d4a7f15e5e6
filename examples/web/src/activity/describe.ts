/** What an operation has done, in words. */
import { dayOf } from 'expense-service-client';
import { useMe } from '../api';
import { useLocale } from '../locale';
import { mainRecordOf, type ActivityRecord, type Operation } from './operations';
import type { Subject } from './useActivity';

interface Description {
  name: string;
  what: string;
  /** In its own currency. */
  amount: string;
}

/** Gives the words for an operation. */
export function useDescribe(
  subjectOf: (record: ActivityRecord) => Subject,
): (operation: Operation) => Description {
  const { t, day, money } = useLocale();
  const zone = useMe().data?.time_zone ?? 'UTC';
  const texts = t.activity;

  function ofCycle({ action, entity_id: id }: ActivityRecord, records: ActivityRecord[]): string {
    const entries = records.filter(
      (each) => each.cycle_id === id && each.entity_type !== 'cycle' && each.action === action,
    );
    const verb = action === 'created' ? texts.cycleCreated : texts.verbs[action];
    return verb + (entries.length > 0 ? texts.withEntries(entries.length) : '');
  }

  function ofAmount({ changes }: ActivityRecord, { currency = 'USD' }: Subject): string {
    const { from, to } = changes.amount ?? changes.base_amount ?? changes.limit ?? {};
    if (typeof from !== 'string' || typeof to !== 'string') return '';
    return `${money(from, currency)} → ${money(to, currency)}`;
  }

  function ofRecord(record: ActivityRecord, subject: Subject): string {
    const { action, entity_type: type, changes } = record;
    const at = changes.paid_at?.to ?? changes.received_at?.to;
    const dayAt = typeof at === 'string' && day(dayOf(at, zone));
    const date = changes.due_date?.to ?? changes.income_date?.to;
    if (type === 'balance' && action === 'created') return texts.stated;
    if (action === 'created')
      return changes.paid?.to === true ? texts.addedAndPaid : texts.verbs.created;
    if (changes.received?.to === false) return texts.notReceived;
    if (dayAt) return (changes.received ? texts.receivedOn : texts.paidOn)(dayAt);
    if (changes.status?.to === 'cancelled') return texts.cancelled;
    if (changes.status?.to === 'active') return t.status.active.toLowerCase();
    if (action === 'deactivated' && /^(recurrent|budget|payment)/.test(type)) return texts.inactive;
    if (action === 'updated' && typeof date === 'string') return texts.moved(day(date));
    return (action === 'updated' && ofAmount(record, subject)) || texts.verbs[action];
  }

  /** Entries that leave one cycle for another are carried over. */
  function ofMany(records: readonly ActivityRecord[]): Pick<Description, 'name' | 'what'> {
    const added = records.filter(({ action }) => action === 'created');
    const removed = records.filter(({ action }) => action === 'deactivated');
    if (added.length === removed.length && added.length * 2 === records.length) {
      const [first] = added;
      const name =
        added.length === 1 && first ? subjectOf(first).name : texts.entries(added.length);
      return { name, what: texts.carriedOver };
    }
    const counts = new Map<string, number>();
    for (const { action } of records) {
      const verb = texts.verbsOfMany[action];
      counts.set(verb, (counts.get(verb) ?? 0) + 1);
    }
    const parts = [...counts].map(([verb, n]) => (counts.size > 1 ? `${n} ${verb}` : verb));
    const isOfEntries = records.every(({ entity_type: type }) => type.startsWith('cycle_'));
    return {
      name: (isOfEntries ? texts.entries : texts.records)(records.length),
      what: parts.join(', '),
    };
  }

  return (operation) => {
    const record = mainRecordOf(operation);
    if (!record) return { ...ofMany(operation.records), amount: '' };
    const subject = subjectOf(record);
    const { amount, currency } = subject;
    const hasAmounts = ofAmount(record, subject) !== '';
    const isOfCycle = record.entity_type === 'cycle' && record.action !== 'updated';
    return {
      name: subject.name || texts.subjects[record.entity_type],
      what: isOfCycle ? ofCycle(record, operation.records) : ofRecord(record, subject),
      amount: amount && currency && !isOfCycle && !hasAmounts ? money(amount, currency) : '',
    };
  };
}

/** Where what a record is about is changed by hand. */
export function pageOf({ entity_type: type, entity_id: id, cycle_id }: ActivityRecord): string {
  if (cycle_id) return `/cycles/${cycle_id}`;
  if (type === 'budget') return `/budgets/${id}`;
  return /^recurrent/.test(type) ? '/recurring' : '/accounts';
}
