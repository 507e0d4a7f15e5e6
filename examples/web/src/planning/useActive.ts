import { useLocale } from '../locale';
import type { Write, WriteAction } from '../write';

interface Deactivatable {
  name: string;
  active: boolean;
  put: (body: { active: boolean }) => ReturnType<Write['send']>;
  onDone: WriteAction['onDone'];
}

/** Deletes a record, which is kept inactive because others name it, or restores it. */
export function useActive(record: Deactivatable | undefined): WriteAction[] {
  const { t } = useLocale();
  if (!record) return [];
  const { name, active, put, onDone } = record;
  const { label, done } = active ? t.planning.deactivate : t.planning.reactivate;
  return [{ label, name, done: done(name), onDone, send: () => put({ active: !active }) }];
}
