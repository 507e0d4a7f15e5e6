import { useState } from 'react';
import { Button, CloseButton, NativeSelect, Paper } from '@mantine/core';
import { queries, useQuery, type Cycle, type Expense } from '../api';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { useCycleName } from './cycle';
import classes from './entries.module.css';
import { totalUsd } from './totals';

interface CarryOverProps {
  cycle: Cycle;
  marked: readonly Expense[];
  openCount: number;
  onDone: () => void;
}

/** Moves the marked expenses to another cycle. */
export function CarryOver({ cycle, marked, openCount, onDone }: CarryOverProps) {
  const { t, usd } = useLocale();
  const nameOf = useCycleName();
  const { write, isSaving } = useWrite();
  const [chosen, setChosen] = useState<string>();
  const query = { per_page: 100 };
  const { cycles = [] } = useQuery(queries.query('/cycles', { params: { query } })).data ?? {};
  const targets = cycles.filter(({ id, status }) => id !== cycle.id && status !== 'completed');
  const target = targets.find(({ id }) => id === chosen) ?? targets[0];
  const texts = t.entries;

  async function carryOver(to: Cycle) {
    const isDone = await write({
      name: texts.theMarked,
      done: texts.carriedOver(marked.length, nameOf(to)),
      send: () =>
        queries.send('POST', '/cycles/{id}/carry-over', {
          params: { path: { id: cycle.id } },
          body: { to_cycle_id: to.id, expense_ids: marked.map(({ id }) => id) },
        }),
    });
    if (isDone) onDone();
  }

  return (
    <Paper component="section" className={classes.carry} aria-label={texts.carryOver}>
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
    </Paper>
  );
}
