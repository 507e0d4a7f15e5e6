/** What the pages and the plan take from the user. */
import { Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { queries } from '../api';
import { Form } from '../components/Form';
import { CURRENCIES, MoneyInput, optionsOf, orNull, useRules } from '../components/inputs';
import { Card } from '../components/Page';
import { useLocale } from '../locale';
import { showMessage } from '../write';

interface UserProps {
  user: Schemas['UserResponse'];
}

/** Stores changes of the user, named as a message has them. */
function useSave(name: string) {
  const { t } = useLocale();
  return async (body: Schemas['UpdateProfileDto']): Promise<void> => {
    await queries.send('PUT', '/auth/me', { body });
    showMessage(t.done.saved(name));
  };
}

export function Profile({ user }: UserProps) {
  const { t, locale } = useLocale();
  const texts = t.account;
  const { time_zone, preferred_currency } = user;
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' });
  const locales = [...new Set(['en-US', 'es-MX', user.locale])];
  // Those that the browser knows, and the one that was chosen elsewhere.
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', time_zone])];
  const form = useForm({
    initialValues: {
      first_name: user.first_name ?? '',
      last_name: user.last_name ?? '',
      locale: user.locale,
      time_zone,
      preferred_currency,
    },
    transformValues: (values) => ({
      ...values,
      first_name: orNull(values.first_name),
      last_name: orNull(values.last_name),
    }),
  });
  const input = form.getInputProps;
  return (
    <Card title={texts.profile} end={<span className="muted">{user.email}</span>}>
      <Form form={form} send={useSave(texts.profile)} label={t.do.save}>
        <TextInput autoComplete="given-name" label={texts.firstName} {...input('first_name')} />
        <TextInput autoComplete="family-name" label={texts.lastName} {...input('last_name')} />
        <Select
          label={texts.language}
          data={locales.map((value) => ({ value, label: names.of(value) ?? value }))}
          {...input('locale')}
        />
        <Select
          searchable
          label={texts.timeZone}
          description={texts.timeZoneText}
          data={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          {...input('time_zone')}
        />
        <Select label={texts.currency} data={CURRENCIES} {...input('preferred_currency')} />
      </Form>
    </Card>
  );
}

export function Everywhere({ user: { minimum_balance, next_income_amount } }: UserProps) {
  const { t } = useLocale();
  const texts = t.account;
  const { amount } = useRules();
  const form = useForm({
    initialValues: { minimum_balance, next_income_amount },
    validate: { minimum_balance: amount },
  });
  return (
    <Card title={t.settings.everywhere}>
      <Form form={form} send={useSave(t.settings.everywhere)} label={t.do.save}>
        <Group grow align="flex-start">
          <MoneyInput
            label={t.overview.minimum}
            description={t.settings.minimumText}
            {...form.getInputProps('minimum_balance')}
          />
          <Select
            label={texts.nextIncome}
            description={texts.nextIncomeText}
            data={optionsOf(texts.nextIncomes)}
            {...form.getInputProps('next_income_amount')}
          />
        </Group>
      </Form>
    </Card>
  );
}
