import { Button, CloseButton, Group, Paper } from '@mantine/core';
import { queries, useCycles, type Cycle, type Expense } from '../api';
import { useTotal } from '../components/Total';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { followingOf } from './closing';
import { payAll, totalUsd } from './entry';

interface MarkedBarProps {
  cycle: Cycle;
  marked: readonly Expense[];
  openCount: number;
  onDone: () => void;
}

/** Pays the marked expenses, or moves them to the next cycle; it stays in sight. */
export function MarkedBar({ cycle, marked, openCount, onDone }: MarkedBarProps) {
  const { t, nameOf } = useLocale();
  const sum = useTotal()(totalUsd(marked)).text;
  const { write, isSaving } = useWrite();
  const { data: cycles = [] } = useCycles();
  const next = followingOf(cycle, cycles);
  const texts = t.entries;
  const name = texts.theMarked;
  const params = { path: { id: cycle.id } };

  async function pay(): Promise<void> {
    const done = `${texts.paidThese(marked.length)}, ${sum}`;
    const send = () => payAll(cycle.id, marked);
    if (await write({ name, done, send })) onDone();
  }
  async function carryOver(to: Cycle): Promise<void> {
    const body = { to_cycle_id: to.id, expense_ids: marked.map(({ id }) => id) };
    const done = texts.carriedOver(marked.length, nameOf(to));
    const send = () => queries.send('POST', '/cycles/{id}/carry-over', { params, body });
    if (await write({ name, done, send })) onDone();
  }

  return (
    <Paper
      component="section"
      aria-label={texts.markedOnes}
      // Above the end of the page, and above the tabs of a phone.
      pos="sticky"
      bottom={80}
      p="sm"
      style={{ zIndex: 2 }}
      maw={720}
      mx={{ sm: 'auto' }}
      withBorder
      shadow="md"
    >
      <Group gap="sm">
        <span role="status">
          <b>{texts.marked(marked.length)}</b>{' '}
          <span className="muted">{texts.ofAll(openCount, sum)}</span>
        </span>
        {next ? (
          <Button variant="default" disabled={isSaving} onClick={() => void carryOver(next)}>
            {texts.carryOver}
          </Button>
        ) : (
          <span className="muted">{texts.noTarget}</span>
        )}
        <Button aria-busy={isSaving} disabled={isSaving} onClick={() => void pay()}>
          {texts.payThese(marked.length)}
        </Button>
        <CloseButton ml="auto" aria-label={t.do.close} onClick={onDone} />
      </Group>
    </Paper>
  );
}
