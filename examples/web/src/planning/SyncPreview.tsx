/** What a synchronization of cycles with what recurs would change, and the press that does it. */
import { useState } from 'react';
import { Box } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Query, Schemas } from 'expense-service-client';
import { client, queries, useQuery, useQueryList, type Currency } from '../api';
import { Form } from '../components/Form';
import { Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { useDone, type Operation } from '../write';
import { openCycles } from './templates';

type Sync = Schemas['SyncResponse'];

const isEmpty = ({ add, change, remove }: Sync): boolean =>
  add.length + change.length + remove.length === 0;

/** The cycles whose entries are not those of what recurs now. */
async function cyclesToSync(): Promise<string[]> {
  const open = await openCycles();
  const syncs = await Promise.all(
    open.map(({ id }) => client.GET('/cycles/{id}/sync', { params: { path: { id } } })),
  );
  return open
    .filter((_, i) => syncs[i] && !isEmpty(syncs[i].data))
    .map(({ id }) => id)
    .reverse();
}

/** After what recurs has changed: asks whether open cycles shall have it too, where they differ. */
export function useSyncQuestion(onDone?: () => void) {
  const { t } = useLocale();
  const [asked, setAsked] = useState<{ cycleIds: string[]; operations: Operation[] }>();

  /** @param operations that have changed it, which an undo takes back together with the answer */
  async function ask(operations: Operation[]): Promise<void> {
    // What was saved stays so: without an answer the page of the cycle still has the same.
    const cycleIds = await cyclesToSync().catch(() => []);
    if (cycleIds.length > 0) setAsked({ cycleIds, operations });
    else onDone?.();
  }
  function close(): void {
    setAsked(undefined);
    onDone?.();
  }

  const question = asked && (
    <section aria-label={t.planning.sync.question}>
      <h2>{t.planning.sync.question}</h2>
      <SyncPreview {...asked} onDone={close} />
    </section>
  );
  return { ask, question, close };
}

interface SyncPreviewProps {
  /** In the order of their days. */
  cycleIds: readonly string[];
  /** What an undo takes back too. */
  operations?: Operation[];
  onDone: () => void;
}

export function SyncPreview({ cycleIds, operations = [], onDone }: SyncPreviewProps) {
  const { t } = useLocale();
  const texts = t.planning.sync;
  const showDone = useDone();
  const form = useForm({ initialValues: {} });
  const states = useQueryList(
    cycleIds.map((id) => queries.query('/cycles/{id}/sync', { params: { path: { id } } })),
  );
  const hasAny = states.some(({ data }) => data && !isEmpty(data));

  async function sync(): Promise<void> {
    const done = [...operations];
    for (const id of cycleIds)
      done.push(await queries.send('POST', '/cycles/{id}/sync', { params: { path: { id } } }));
    showDone(texts.done, ...done.map(({ operationId }) => operationId));
    onDone();
  }

  return (
    <Form
      form={form}
      send={sync}
      label={hasAny ? texts.apply : undefined}
      onCancel={onDone}
      cancelLabel={hasAny ? texts.leave : t.do.close}
    >
      {cycleIds.map((id) => (
        <OfCycle key={id} id={id} hasKept={operations.length === 0} />
      ))}
    </Form>
  );
}

interface Entry {
  id: string;
  description: string;
  currency: Currency;
  due_date?: string;
  income_date?: string;
}

interface OfCycleProps {
  id: string;
  /** Whether it says how many entries stay; those may be of anything that recurs. */
  hasKept: boolean;
}

/** What one cycle would have, entry by entry. */
function OfCycle({ id, hasKept }: OfCycleProps) {
  const { t, days, day, money } = useLocale();
  const texts = t.planning.sync;
  const params = { path: { id } };
  const cycle = useQuery(queries.query('/cycles/{id}', { params })).data;
  const sync = useQuery(queries.query('/cycles/{id}/sync', { params }));
  const ofCycle = { params: { path: { cycle_id: id } } };
  const [expenses, incomes] = useQueryList<{ expenses?: Entry[]; incomes?: Entry[] }>([
    queries.query('/cycles/{cycle_id}/expenses', ofCycle) as Query<{ expenses: Entry[] }>,
    queries.query('/cycles/{cycle_id}/incomes', ofCycle) as Query<{ incomes: Entry[] }>,
  ]);
  const entries = expenses?.data &&
    incomes?.data && [...(expenses.data.expenses ?? []), ...(incomes.data.incomes ?? [])];
  const data = cycle && entries && sync.data && { cycle, ...sync.data };

  function changeOf({ id: of, changes }: Sync['change'][number]): string {
    const entry = entries?.find((each) => each.id === of);
    const date = entry?.due_date ?? entry?.income_date;
    const parts = Object.entries(changes).map(([field, { from, to }]) => {
      const format = (value: unknown) =>
        field === 'amount' ? money(`${value}`, entry?.currency ?? 'USD') : day(`${value}`);
      if (field === 'amount' || field.endsWith('_date')) return `${format(from)} → ${format(to)}`;
      return texts.fields[field as keyof typeof texts.fields];
    });
    const name = [entry?.description, date && day(date)].filter(Boolean).join(', ');
    return `${name}: ${parts.filter(Boolean).join(', ')}`;
  }

  return (
    <Loaded state={{ data, error: sync.error }} height={120}>
      {({ cycle, add, change, remove, protected: kept }) => (
        <Box component="section" mt="md" aria-label={days(cycle)}>
          <h3>{days(cycle)}</h3>
          <ul>
            {change.map((each) => (
              <li key={each.id}>{changeOf(each)}</li>
            ))}
            {add.map((each, i) => (
              <li key={i}>
                {texts.added(each.description, money(each.amount, each.currency))}{' '}
                {day('due_date' in each ? each.due_date : each.income_date)}
              </li>
            ))}
            {remove.map(({ id: of, description, due_date, income_date }) => (
              <li key={of}>
                {texts.removed(description)} {day(due_date ?? income_date ?? cycle.start_date)}
              </li>
            ))}
          </ul>
          {change.length + add.length + remove.length === 0 && (
            <p className="muted">{texts.nothing}</p>
          )}
          {hasKept && kept.length > 0 && <p className="detail muted">{texts.kept(kept.length)}</p>}
        </Box>
      )}
    </Loaded>
  );
}
