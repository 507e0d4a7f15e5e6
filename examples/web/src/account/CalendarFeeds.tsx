import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { queries, useQuery } from '../api';
import { Form } from '../components/Form';
import { optionsOf, useRules } from '../components/inputs';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';

export function CalendarFeeds() {
  const { t } = useLocale();
  const texts = t.account;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const alarms: Record<string, string> = texts.alarms;
  return (
    <RecordList
      title={texts.feeds}
      text={texts.feedsText}
      query={queries.query('/calendar-feeds')}
      row={({ id, name, payment_method_id, alarm_days: days }) => {
        const method = methods.find((each) => each.id === payment_method_id);
        const alarm = days === null ? texts.noAlarm : (alarms[days] ?? days);
        const path = { params: { path: { id } } };
        const send = () => queries.send('DELETE', '/calendar-feeds/{id}', path);
        return {
          name,
          detail: `${method?.name ?? texts.allMethods} · ${alarm}`,
          actions: [{ label: t.do.delete, done: t.done.deleted(name), send }],
        };
      }}
      form={(feed, close) => <FeedForm feed={feed} methods={methods} onDone={close} />}
    />
  );
}

interface FeedFormProps {
  feed: Schemas['CalendarFeedResponse'] | undefined;
  methods: Schemas['PaymentMethodResponse'][];
  onDone: (url?: string) => void;
}

function FeedForm({ feed, methods, onDone }: FeedFormProps) {
  const { t } = useLocale();
  const texts = t.account;
  const { required } = useRules();
  const form = useForm({
    initialValues: {
      name: feed?.name ?? t.name,
      payment_method_id: feed?.payment_method_id ?? null,
      alarm_days: feed?.alarm_days?.toString() ?? null,
    },
    validate: { name: required },
  });
  const input = form.getInputProps;

  async function save({ alarm_days: days, ...values }: typeof form.values): Promise<void> {
    const body = { ...values, alarm_days: days === null ? null : Number(days) };
    if (!feed) {
      const { data } = await queries.send('POST', '/calendar-feeds', { body });
      return onDone(data.url ?? texts.lostSecret);
    }
    const params = { path: { id: feed.id } };
    await queries.send('PUT', '/calendar-feeds/{id}', { params, body });
    onDone();
  }

  return (
    <Form form={form} send={save} label={t.do.save}>
      <TextInput label={t.fields.name} {...input('name')} />
      <Select
        clearable
        label={t.fields.paymentMethod}
        placeholder={texts.allMethods}
        data={methods.map(({ id, name }) => ({ value: id, label: name }))}
        {...input('payment_method_id')}
      />
      <Select
        clearable
        label={texts.alarm}
        placeholder={texts.noAlarm}
        data={optionsOf(texts.alarms)}
        {...input('alarm_days')}
      />
    </Form>
  );
}
