/** All data of the account as a file, and a file of another account. */
import { useState } from 'react';
import { Alert, Button, FileButton, type ButtonProps } from '@mantine/core';
import { fieldErrors, messageOf, type Schemas } from 'expense-service-client';
import { client, queries, useMe } from '../api';
import { saveFile } from '../components/saveFile';
import { Card } from '../components/Page';
import { useLocale } from '../locale';
import { showMessage, useWrite } from '../write';

/** What the service takes. */
const MAX_BYTES = 10_000_000;

export function DataCopy() {
  const { t } = useLocale();
  const texts = t.settings.data;
  const { write, isSaving } = useWrite();
  const name = `${t.name} ${useMe().data?.today}.json`;

  async function download() {
    const { data } = await client.GET('/export');
    saveFile(name, 'application/json', JSON.stringify(data));
    return { operationId: undefined };
  }

  return (
    <>
      <Card title={texts.download}>
        <p className="muted">{texts.downloadText}</p>
        <Button
          variant="default"
          mt="md"
          loading={isSaving}
          onClick={() => void write({ name, done: t.done.saved(name), send: download })}
        >
          {texts.save}
        </Button>
      </Card>
      <Card title={texts.import}>
        <p className="muted">{texts.importText}</p>
        <ImportButton variant="default" label={texts.choose} />
      </Card>
    </>
  );
}

interface ImportButtonProps extends ButtonProps {
  label: string;
}

/** What is wrong with a file stands below the button, each problem with its place in the file. */
export function ImportButton({ label, ...props }: ImportButtonProps) {
  const { t, language } = useLocale();
  const texts = t.settings.data;
  const [isLoading, setLoading] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);

  async function load(file: File): Promise<void> {
    setLoading(true);
    setProblems([]);
    try {
      const body = await documentIn(file);
      if (typeof body === 'string') return setProblems([texts[body]]);
      const { data } = await queries.send('POST', '/import', { body });
      const { cycles, expenses, incomes } = data.imported;
      showMessage(texts.imported(cycles, expenses + incomes));
    } catch (error) {
      const places = Object.entries(fieldErrors(error, language));
      const found = places.map(([place, message]) => `${place}: ${message}`);
      setProblems(found.length > 0 ? [texts.refused, ...found] : [messageOf(error, language)]);
    } finally {
      setLoading(false);
    }
  }

  return (
    <>
      <FileButton accept="application/json,.json" onChange={(file) => file && void load(file)}>
        {({ onClick }) => (
          <Button mt="md" loading={isLoading} onClick={onClick} {...props}>
            {label}
          </Button>
        )}
      </FileButton>
      {problems.length > 0 && (
        <Alert color="red" role="alert" mt="md" style={{ overflowWrap: 'anywhere' }}>
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Alert>
      )}
    </>
  );
}

/** The copy in a file, or why it has none. */
async function documentIn(file: File): Promise<Schemas['DataDocument'] | 'tooLarge' | 'noCopy'> {
  if (file.size > MAX_BYTES) return 'tooLarge';
  try {
    const content = JSON.parse(await file.text()) as Schemas['DataDocument'] | null;
    return content?.schema_version ? content : 'noCopy';
  } catch {
    return 'noCopy';
  }
}
