/** Adds the expenses of a CSV file to a cycle, after it has said what they are or what is wrong. */
import { useState } from 'react';
import { Alert, Code, FileInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isApiError, reasonMessage } from 'expense-service-client';
import { client, queries, useQuery, type Cycle } from '../api';
import { FieldError, Form } from '../components/Form';
import { useLocale } from '../locale';
import { useDone } from '../write';

/** As the service takes it. */
const MAX_BYTES = 1_000_000;
const LINES_SHOWN = 6;

/** What a file adds. */
interface Checked {
  imported: number;
  total_amount_usd: string;
  /** As it begins, with the names of its columns. */
  head: string;
  /** How many of its lines the cycle has already. */
  present: number;
}

interface Mistake {
  text: string;
  /** What the file has there. */
  line: string;
}

interface ImportExpensesProps {
  cycle: Cycle;
  onDone: () => void;
}

export function ImportExpenses({ cycle, onDone }: ImportExpensesProps) {
  const { t, usd, language } = useLocale();
  const texts = t.entries.importing;
  const showDone = useDone();
  const [csv, setCsv] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const [mistakes, setMistakes] = useState<Mistake[]>([]);
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
    const lines = linesOf(body);
    try {
      const path = '/cycles/{cycle_id}/expenses/import';
      const { data } = await client.POST(path, request(true, body));
      const head = lines.slice(0, LINES_SHOWN).join('\n');
      setChecked({ ...data, head, present: await countPresent(cycle, lines) });
      setCsv(body);
    } catch (error) {
      if (!isApiError(error, 'VALIDATION_ERROR') || !error.details.row_reasons) throw error;
      setMistakes(
        Object.entries(error.details.row_reasons).flatMap(([line, columns]) =>
          Object.entries(columns).map(([column, [reason = '']]) => ({
            text: texts.mistake(line, column, reasonMessage(reason, language)),
            line: lines[Number(line) - 1] ?? '',
          })),
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
        <>
          <p role="status">
            <b>{texts.found(checked.imported, usd(checked.total_amount_usd))}</b>
          </p>
          <Lines>{checked.head}</Lines>
          {checked.present > 0 && (
            <Alert color="yellow" role="alert">
              {texts.present(checked.present)}
            </Alert>
          )}
        </>
      )}
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} />}
    </Form>
  );
}

/** Lines of the file, as it has them. */
const Lines = ({ children }: { children: string }) => (
  <Code block fz={12} tabIndex={0} style={{ overflowX: 'auto' }}>
    {children}
  </Code>
);

function Mistakes({ mistakes }: { mistakes: Mistake[] }) {
  const { t } = useLocale();
  const query = { active: true };
  const { data: methods = [] } = useQuery(queries.query('/payment-methods', { params: { query } }));
  return (
    <>
      <ul>
        {mistakes.map(({ text, line }) => (
          <li key={text}>
            {text}
            <Lines>{line}</Lines>
          </li>
        ))}
      </ul>
      <p className="muted">
        {t.entries.importing.methods(methods.map(({ name }) => name).join(', '))}
      </p>
    </>
  );
}

const linesOf = (csv: string): string[] => csv.replace(/^\uFEFF/, '').split(/\r?\n/);

/** How many lines of a file stand in the export of a cycle too. */
async function countPresent({ id }: Cycle, [, ...lines]: string[]): Promise<number> {
  const params = { path: { cycle_id: id } };
  const { data } = await client.GET('/cycles/{cycle_id}/expenses.csv', { params });
  const present = new Set(linesOf(data));
  return lines.filter((line) => line !== '' && present.has(line)).length;
}

/** Spreadsheets write UTF-8, or the character set of Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
