import { useState, type ReactNode } from 'react';
import { ActionIcon, Badge, Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDots } from '@tabler/icons-react';
import { daysBetween } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { client, queries, tagOf, useMe, type Cycle } from '../api';
import { Form } from '../components/Form';
import { FormDrawer } from '../components/FormDrawer';
import { useRules } from '../components/inputs';
import { ItemMenu } from '../components/ItemMenu';
import { PageHead } from '../components/Page';
import { saveFile } from '../components/saveFile';
import { useLocale } from '../locale';
import { SyncPreview } from '../planning/SyncPreview';
import { useDone, useWrite } from '../write';
import { ImportExpenses } from './ImportExpenses';

interface CycleHeadProps {
  cycle: Cycle;
  onCarryOver: () => void;
  children: ReactNode;
}

export function CycleHead({ cycle, onCarryOver, children }: CycleHeadProps) {
  const { t, days, nameOf } = useLocale();
  const { write } = useWrite();
  const showDone = useDone();
  const [form, setForm] = useState<'name' | 'import' | 'sync'>();
  const [, navigate] = useLocation();
  const today = useMe().data?.today ?? '';
  const { start_date: from, end_date: to, status } = cycle;
  const texts = t.entries;
  const name = nameOf(cycle);
  const params = { path: { id: cycle.id } };
  const version = { params, ifMatch: tagOf(cycle) };
  const put = (body: { status?: Cycle['status']; name?: string }) =>
    queries.send('PUT', '/cycles/{id}', { ...version, body });
  const activate = () =>
    write({
      name,
      done: `${name}: ${t.status.active}`,
      send: () => put({ status: 'active' }),
    });
  const close = () => setForm(undefined);

  async function remove(): Promise<void> {
    const send = () => queries.send('DELETE', '/cycles/{id}', version);
    if (await write({ name, done: t.done.deleted(name), send })) navigate('/cycles');
  }
  async function rename(body: { name: string }): Promise<void> {
    showDone(t.done.saved(body.name), (await put(body)).operationId);
    close();
  }
  async function download() {
    const { data } = await client.GET('/cycles/{cycle_id}/expenses.csv', {
      params: { path: { cycle_id: cycle.id } },
    });
    // Spreadsheets know by the mark at its beginning that it is UTF-8.
    saveFile(`${name}.csv`, 'text/csv', `\uFEFF${data}`);
    return { operationId: undefined };
  }
  const exportItem = {
    label: texts.export,
    run: () => write({ name, done: texts.exported(name), send: download }),
  };
  const items = [
    { label: texts.carryOverAll, run: onCarryOver },
    !cycle.side && {
      label: texts.sync,
      run: () => setForm('sync'),
    },
    { label: texts.importing.title, run: () => setForm('import') },
    exportItem,
    { label: texts.rename, run: () => setForm('name') },
    status === 'draft'
      ? { label: texts.activate, run: activate }
      : { label: texts.complete, run: () => navigate(`/cycles/${cycle.id}/close`) },
    { label: t.do.delete, run: remove },
  ].filter((item) => item !== false);
  return (
    <>
      <PageHead title={name}>
        {cycle.side && <span className="muted">{texts.beside(days(cycle))}</span>}
        {!cycle.side && today >= from && today <= to && (
          <Text span c="dimmed" visibleFrom="sm">
            {texts.dayOf(daysBetween({ from, to: today }) + 1, daysBetween({ from, to }) + 1)}
          </Text>
        )}
        <Badge color={status === 'active' ? 'accent' : 'gray'}>{t.status[status]}</Badge>
        {children}
        {!cycle.side && (
          <Button component={Link} href="/cycles/next" variant="default">
            {texts.nextCycle}
          </Button>
        )}
        <ItemMenu items={status === 'completed' ? [exportItem] : items}>
          <ActionIcon variant="default" size={36} aria-label={texts.moreOf}>
            <IconDots size={16} />
          </ActionIcon>
        </ItemMenu>
      </PageHead>
      <FormDrawer
        title={form === 'import' ? texts.importing.title : form === 'sync' ? texts.sync : name}
        opened={form !== undefined}
        onClose={close}
      >
        {form === 'name' && <NameForm name={name} send={rename} />}
        {form === 'sync' && <SyncPreview cycleIds={[cycle.id]} onDone={close} />}
        {form === 'import' && <ImportExpenses cycle={cycle} onDone={close} />}
      </FormDrawer>
    </>
  );
}

interface NameFormProps {
  name: string;
  send: (body: { name: string }) => Promise<void>;
}

function NameForm({ name, send }: NameFormProps) {
  const { t } = useLocale();
  const { required } = useRules();
  const form = useForm({ initialValues: { name }, validate: { name: required } });
  return (
    <Form form={form} send={send} label={t.do.save}>
      <TextInput label={t.fields.name} {...form.getInputProps('name')} />
    </Form>
  );
}
