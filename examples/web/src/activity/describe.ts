/** What an operation has done, in words. */
import { dayOf } from 'expense-service-client';
import { useMe } from '../api';
import { useLocale } from '../locale';
import { mainRecordOf, mergedByEntity, type ActivityRecord, type Operation } from './operations';
import type { Subject } from './useActivity';

interface Description {
  name: string;
  what: string;
  /** In its own currency. */
  amount: string;
  /** The budget or the account, and the day, of an entry; the names of several. */
  detail: string;
}

const NAMES_SHOWN = 3;

type EntityType = ActivityRecord['entity_type'];
type SeveralAction = ActivityRecord['action'] | 'received';

const actionOf = ({ action, changes }: ActivityRecord): SeveralAction =>
  action === 'updated' && changes.received?.to === true ? 'received' : action;

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

  /** Another amount than before. */
  function ofAmount({ changes }: ActivityRecord, { currency = 'USD' }: Subject): string {
    const { from, to } = changes.amount ?? changes.base_amount ?? changes.limit ?? {};
    if (typeof from !== 'string' || typeof to !== 'string' || from === to) return '';
    return `${money(from, currency)} → ${money(to, currency)}`;
  }

  function ofCreated({ entity_type: type, changes }: ActivityRecord): string {
    if (type === 'balance') return texts.stated;
    if (changes.paid?.to === true && type === 'cycle_expense') return texts.spent;
    return changes.received?.to === true ? texts.received : texts.verbs.created;
  }

  function ofRecord(record: ActivityRecord): string {
    const { action, entity_type: type, changes } = record;
    // What a statement has of its own is stored when it is first changed.
    if (action === 'created' && type !== 'card_statement') return ofCreated(record);
    if (changes.received?.to === false) return texts.notReceived;
    const at = changes.paid_at?.to ?? changes.received_at?.to;
    if (typeof at === 'string')
      return (changes.received ? texts.receivedOn : texts.paidOn)(day(dayOf(at, zone)));
    if (changes.status?.to === 'cancelled') return texts.cancelled;
    if (changes.status?.to === 'active') return t.status.active.toLowerCase();
    if (action === 'deactivated' && /^(recurrent|budget|payment)/.test(type)) return texts.inactive;
    const date = changes.due_date?.to ?? changes.income_date?.to;
    if (action === 'updated' && typeof date === 'string') return texts.moved(day(date));
    return texts.verbs[type === 'card_statement' ? 'updated' : action];
  }

  function ofOne(record: ActivityRecord, operation: Operation): Description {
    const subject = subjectOf(record);
    const { name, amount, currency, of, date } = subject;
    const kind = texts.subjects[record.entity_type];
    const isOfCycle = record.entity_type === 'cycle' && record.action !== 'updated';
    const what = isOfCycle ? ofCycle(record, operation.records) : ofRecord(record);
    const amounts = ofAmount(record, subject);
    const isChange = what === texts.verbs.updated;
    return {
      name: name || kind,
      what: amounts ? [!isChange && what, amounts].filter(Boolean).join(', ') : what,
      amount: amount && currency && !isOfCycle && !amounts ? money(amount, currency) : '',
      detail: date
        ? [of, day(date)].filter(Boolean).join(' · ')
        : name && name !== kind
          ? kind
          : '',
    };
  }

  function namesOf(records: readonly ActivityRecord[]): string {
    const names = [...new Set(records.map((record) => subjectOf(record).name))].filter(Boolean);
    const shown = names.slice(0, NAMES_SHOWN).join(', ');
    return names.length > NAMES_SHOWN ? `${shown} …` : shown;
  }

  /** Entries that leave one cycle for another are carried over. */
  function ofMany(records: readonly ActivityRecord[]): Description {
    const added = records.filter(({ action }) => action === 'created');
    const removed = records.filter(({ action }) => action === 'deactivated');
    const [first] = added;
    if (first && added.length === removed.length && added.length * 2 === records.length) {
      const name = added.length === 1 ? subjectOf(first).name : texts.entries(added.length);
      const detail = added.length === 1 ? '' : namesOf(added);
      return { name, what: texts.carriedOver(added.length), amount: '', detail };
    }
    const counts = new Map<string, { n: number; type: EntityType; action: SeveralAction }>();
    for (const record of records) {
      const { entity_type: type } = record;
      const action = actionOf(record);
      const n = (counts.get(type + action)?.n ?? 0) + 1;
      counts.set(type + action, { n, type, action });
    }
    const phrases = [...counts.values()].map(({ n, type, action }) => {
      const [one, many] = texts.kinds[type];
      const ofOneOrMany =
        n === 1 && !action.startsWith('comment') ? texts.verbs : texts.verbsOfMany;
      return `${n} ${n === 1 ? one : many} ${ofOneOrMany[action]}`;
    });
    return { name: phrases.join(', '), what: '', amount: '', detail: namesOf(records) };
  }

  return (operation) => {
    const record = mainRecordOf(operation);
    return record ? ofOne(record, operation) : ofMany(mergedByEntity(operation.records));
  };
}

/** Where what a record is about is changed by hand. */
export function pageOf({ entity_type: type, entity_id: id, cycle_id }: ActivityRecord): string {
  if (cycle_id) return `/cycles/${cycle_id}`;
  if (type === 'budget') return `/budgets/${id}`;
  return /^recurrent/.test(type) ? '/recurring' : '/accounts';
}
