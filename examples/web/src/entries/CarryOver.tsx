import { useState } from 'react';
import { Button, CloseButton, Group, NativeSelect, Paper } from '@mantine/core';
import { queries, useQuery, type Cycle, type Expense } from '../api';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { totalUsd } from './entry';

/** Above the end of the page, and above the tabs of a phone. */
const BAR = { pos: 'sticky', bottom: 80, p: 'sm', withBorder: true, shadow: 'md' } as const;

interface CarryOverProps {
  cycle: Cycle;
  marked: readonly Expense[];
  openCount: number;
  onDone: () => void;
}

/** Moves the marked expenses to another cycle. */
export function CarryOver({ cycle, marked, openCount, onDone }: CarryOverProps) {
  const { t, usd, nameOf } = useLocale();
  const { write, isSaving } = useWrite();
  const [chosen, setChosen] = useState<string>();
  const query = { per_page: 100 };
  const { cycles = [] } = useQuery(queries.query('/cycles', { params: { query } })).data ?? {};
  const targets = cycles.filter(({ id, status }) => id !== cycle.id && status !== 'completed');
  // They begin with the latest.
  const next = targets.findLast(({ start_date, side }) => !side && start_date > cycle.end_date);
  const target = targets.find(({ id }) => id === chosen) ?? next ?? targets[0];
  const texts = t.entries;

  async function carryOver(to: Cycle): Promise<void> {
    const body = { to_cycle_id: to.id, expense_ids: marked.map(({ id }) => id) };
    const params = { path: { id: cycle.id } };
    const isDone = await write({
      name: texts.theMarked,
      done: texts.carriedOver(marked.length, nameOf(to)),
      send: () => queries.send('POST', '/cycles/{id}/carry-over', { params, body }),
    });
    if (isDone) onDone();
  }

  return (
    <Paper component="section" aria-label={texts.carryOver} {...BAR}>
      <Group gap="sm">
        <span role="status">
          <b>{texts.marked(marked.length)}</b>{' '}
          <span className="muted">{texts.ofAll(openCount, usd(totalUsd(marked)))}</span>
        </span>
        {target ? (
          <>
            <NativeSelect
              aria-label={texts.carryOverTo}
              value={target.id}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              data={targets.map((each) => ({ value: each.id, label: nameOf(each) }))}
            />
            <Button aria-busy={isSaving} disabled={isSaving} onClick={() => void carryOver(target)}>
              {texts.carryOver}
            </Button>
          </>
        ) : (
          <span className="muted">{texts.noTarget}</span>
        )}
        <CloseButton aria-label={t.do.close} onClick={onDone} />
      </Group>
    </Paper>
  );
}
