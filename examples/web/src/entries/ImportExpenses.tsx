/** Adds the expenses of a CSV file to a cycle, after it has said what they are or what is wrong. */
import { useState } from 'react';
import { FileInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isApiError, reasonMessage, type Schemas } from 'expense-service-client';
import { client, queries, type Cycle } from '../api';
import { FieldError, Form } from '../components/Form';
import { useLocale } from '../locale';
import { useDone } from '../write';

/** As the service takes it. */
const MAX_BYTES = 1_000_000;

interface ImportExpensesProps {
  cycle: Cycle;
  onDone: () => void;
}

export function ImportExpenses({ cycle, onDone }: ImportExpensesProps) {
  const { t, usd, language } = useLocale();
  const texts = t.entries.importing;
  const showDone = useDone();
  const [csv, setCsv] = useState('');
  const [checked, setChecked] = useState<Schemas['ImportExpensesResponse']>();
  const [mistakes, setMistakes] = useState<string[]>([]);
  const form = useForm<{ file: File | null }>({
    initialValues: { file: null },
    validate: { file: (file) => (file ? null : t.fields.required) },
  });
  const request = (dry_run: boolean, body: string) => ({
    params: { path: { cycle_id: cycle.id }, query: { dry_run } },
    body,
  });

  async function check({ file }: { file: File | null }): Promise<void> {
    if (!file) return;
    if (file.size > MAX_BYTES) throw new FieldError('file', texts.tooLarge);
    const body = textOf(await file.arrayBuffer());
    try {
      const path = '/cycles/{cycle_id}/expenses/import';
      setChecked((await client.POST(path, request(true, body))).data);
      setCsv(body);
    } catch (error) {
      if (!isApiError(error, 'VALIDATION_ERROR') || !error.details.row_reasons) throw error;
      setMistakes(
        Object.entries(error.details.row_reasons).flatMap(([line, columns]) =>
          Object.entries(columns).map(([column, [reason = '']]) =>
            texts.mistake(line, column, reasonMessage(reason, language)),
          ),
        ),
      );
      throw new FieldError('file', texts.wrong);
    }
  }
  async function add(): Promise<void> {
    const path = '/cycles/{cycle_id}/expenses/import';
    const { data, operationId } = await queries.send('POST', path, request(false, csv));
    showDone(texts.done(data.imported), operationId);
    onDone();
  }
  function choose(file: File | null): void {
    setChecked(undefined);
    setMistakes([]);
    form.setFieldValue('file', file);
  }

  return (
    <Form
      form={form}
      send={checked ? add : check}
      label={checked ? texts.add(checked.imported) : texts.check}
    >
      <p className="muted">{texts.text}</p>
      <FileInput
        label={texts.file}
        placeholder={texts.choose}
        accept=".csv,text/csv"
        {...form.getInputProps('file')}
        onChange={choose}
      />
      {checked && (
        <p role="status">
          <b>{texts.found(checked.imported, usd(checked.total_amount_usd))}</b>
        </p>
      )}
      <ul>
        {mistakes.map((mistake) => (
          <li key={mistake}>{mistake}</li>
        ))}
      </ul>
    </Form>
  );
}

/** Spreadsheets write UTF-8, or the character set of Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
