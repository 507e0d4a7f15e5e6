import { Button } from '@mantine/core';
import { useLocale } from '../locale';
import { useWrite } from '../write';

interface ActiveButtonProps {
  name: string;
  active: boolean;
  send: (body: { active: boolean }) => Promise<{ operationId: string | undefined }>;
  onDone: () => void;
}

/** Deletes a record, which is kept inactive because others name it, or restores it. */
export function ActiveButton({ name, active, send, onDone }: ActiveButtonProps) {
  const { t } = useLocale();
  const { write, isSaving } = useWrite();
  const texts = active ? t.planning.deactivate : t.planning.reactivate;
  const action = { name, done: texts.done(name), send: () => send({ active: !active }) };
  const run = async () => (await write(action)) && onDone();
  return (
    <Button variant="subtle" mr="auto" disabled={isSaving} onClick={() => void run()}>
      {texts.label}
    </Button>
  );
}
