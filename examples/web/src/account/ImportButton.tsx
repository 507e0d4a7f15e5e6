import { Button, FileButton, type ButtonProps } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { queries } from '../api';
import { useLocale } from '../locale';
import { showMessage, useWrite } from '../write';

/** Imports the export of another account. */
export function ImportButton(props: ButtonProps) {
  const { t } = useLocale();
  const { write, isSaving } = useWrite();

  async function importFile(file: File | null): Promise<void> {
    const read = async () => JSON.parse((await file?.text()) ?? '') as Schemas['DataDocument'];
    const body = await read().catch(() => undefined);
    if (!body) return showMessage(t.account.notACopy);
    const send = () => queries.send('POST', '/import', { body });
    await write({ name: t.account.copyName, done: t.account.imported, send });
  }

  return (
    <FileButton accept="application/json" onChange={(file) => void importFile(file)}>
      {(button) => (
        <Button variant="default" {...props} {...button} aria-busy={isSaving} disabled={isSaving}>
          {t.account.import}
        </Button>
      )}
    </FileButton>
  );
}
