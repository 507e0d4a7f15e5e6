/** Where somebody is signed in, and the password. */
import { useForm } from '@mantine/form';
import { dayOf } from 'expense-service-client';
import { queries, useMe } from '../api';
import { Form } from '../components/Form';
import { useRules } from '../components/inputs';
import { Card } from '../components/Page';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { showMessage } from '../write';
import { NewPasswordInput, PasswordInput } from './inputs';

export function Sessions() {
  const { t } = useLocale();
  const texts = t.account;
  const dayText = useDayOf();
  const deviceOf = (userAgent: string | null): string =>
    [/Firefox|Edg|Chrome|Safari/, /Android|iPhone|iPad|Windows|Mac|Linux/]
      .flatMap((name) => name.exec(userAgent ?? '')?.[0] ?? [])
      .join(', ') || texts.unknownDevice;
  return (
    <RecordList
      title={texts.sessions}
      text={texts.sessionsText}
      query={queries.query('/auth/sessions')}
      row={({ id, user_agent, created_at: since, last_refreshed_at: used, current }) => {
        const name = deviceOf(user_agent);
        const last = current ? texts.current : texts.used(dayText(used ?? since));
        const path = { params: { path: { id } } };
        const send = () => queries.send('DELETE', '/auth/sessions/{id}', path);
        return {
          name,
          detail: `${texts.since(dayText(since))} · ${last}`,
          actions: current ? [] : [{ label: texts.endSession, done: texts.ended(name), send }],
        };
      }}
    />
  );
}

/** The day of a timestamp for the user. */
export function useDayOf(): (timestamp: string) => string {
  const { day } = useLocale();
  const zone = useMe().data?.time_zone ?? 'UTC';
  return (timestamp) => day(dayOf(timestamp, zone), 'year');
}

export function Password() {
  const { t } = useLocale();
  const { required } = useRules();
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { current_password: required, new_password: required },
  });

  async function change(body: typeof form.values): Promise<void> {
    await queries.send('PUT', '/auth/me/password', { body });
    showMessage(t.account.passwordChanged);
    form.reset();
  }

  return (
    <Card title={t.account.password}>
      <Form form={form} send={change} label={t.do.change}>
        <PasswordInput
          label={t.account.currentPassword}
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('new_password')} />
      </Form>
    </Card>
  );
}
