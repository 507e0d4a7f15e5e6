import { Button, List, Modal } from '@mantine/core';
import { queries, useQuery, type Cycle } from '../api';
import { Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import type { Entry } from './entry';

interface SyncDialogProps {
  cycle: Cycle;
  entries: readonly Entry[];
  onClose: () => void;
}

/** Shows what the recurring entries would change in the cycle, and changes it. */
export function SyncDialog({ cycle, entries, onClose }: SyncDialogProps) {
  const { t, day } = useLocale();
  const { write, isSaving } = useWrite();
  const texts = t.entries.sync;
  const params = { path: { id: cycle.id } };
  const preview = useQuery(queries.query('/cycles/{id}/sync', { params }));
  const nameOf = (id: string) => entries.find((entry) => entry.id === id)?.description;

  async function sync() {
    const send = () => queries.send('POST', '/cycles/{id}/sync', { params });
    if (await write({ name: texts.title, done: texts.done, send })) onClose();
  }

  const title = { title: texts.title, closeButtonProps: { 'aria-label': t.do.close } };
  return (
    <Modal opened onClose={onClose} {...title}>
      <Loaded state={preview}>
        {({ add, change, remove }) => {
          const dates = add.map((each) => ('due_date' in each ? each.due_date : each.income_date));
          const lines = [
            ...add.map(({ description }, i) => texts.add(description, day(dates[i] ?? ''))),
            ...change.map(({ id }) => texts.change(nameOf(id) ?? '')),
            ...remove.map(({ description }) => texts.remove(description)),
          ];
          if (lines.length === 0) return <p>{texts.nothing}</p>;
          return (
            <>
              <p className="muted">{texts.intro}</p>
              <List my="md">
                {lines.map((line, i) => (
                  <List.Item key={i}>{line}</List.Item>
                ))}
              </List>
              <Button disabled={isSaving} aria-busy={isSaving} onClick={() => void sync()}>
                {texts.run}
              </Button>
            </>
          );
        }}
      </Loaded>
    </Modal>
  );
}
