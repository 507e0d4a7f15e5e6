import { useState } from 'react';
import { Button, Group, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { messageOf, type Schemas } from 'expense-service-client';
import { client, queries, useMe } from '../api';
import { Card, Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { showMessage } from '../write';
import { AccessTokens, CalendarFeeds, PaymentMethods, Sessions } from './access';
import { CURRENCIES, newPasswordField, passwordField, timeZoneField } from './fields';
import { FieldsForm } from './FieldsForm';
import { ImportButton } from './ImportButton';

export function Settings() {
  const { t } = useLocale();
  const me = useMe();
  return (
    <>
      <h1>{t.nav.settings}</h1>
      <div className="columns">
        <div>
          <Loaded state={me} height={480}>
            {(user) => <Profile user={user} />}
          </Loaded>
          <PaymentMethods />
          <CalendarFeeds />
          <AccessTokens />
        </div>
        <div>
          <Appearance />
          <Password />
          <Sessions />
          <Data />
        </div>
      </div>
    </>
  );
}

function Profile({ user }: { user: Schemas['UserResponse'] }) {
  const { t, locale } = useLocale();
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' });
  const locales = ['en-US', 'es-MX', user.locale];

  async function save(values: Record<string, string>): Promise<void> {
    const { first_name, last_name, ...body } = values;
    const optional = { first_name: first_name || null, last_name: last_name || null };
    await queries.send('PUT', '/auth/me', { body: { ...body, ...optional } });
    showMessage(t.done.saved(t.account.profile));
  }

  return (
    <Card title={t.account.profile} end={<span className="muted">{user.email}</span>}>
      <FieldsForm
        fields={{
          first_name: { label: t.account.firstName, value: user.first_name ?? '' },
          last_name: { label: t.account.lastName, value: user.last_name ?? '' },
          locale: {
            ...{ label: t.account.language, value: user.locale },
            options: Object.fromEntries(locales.map((each) => [each, names.of(each) ?? each])),
          },
          time_zone: timeZoneField(t, user.time_zone),
          preferred_currency: {
            ...{ label: t.account.currency, value: user.preferred_currency, options: CURRENCIES },
          },
        }}
        send={save}
        label={t.do.save}
      />
    </Card>
  );
}

function Appearance() {
  const { t } = useLocale();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card title={t.account.appearance}>
      <SegmentedControl
        aria-label={t.account.appearance}
        fullWidth
        data={(['auto', 'light', 'dark'] as const).map((value) => ({
          ...{ value, label: t.account.schemes[value] },
        }))}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </Card>
  );
}

function Password() {
  const { t } = useLocale();
  const [changes, setChanges] = useState(0);

  async function change(body: Schemas['ChangePasswordDto']): Promise<void> {
    await queries.send('PUT', '/auth/me/password', { body });
    showMessage(t.account.passwordChanged);
    setChanges(changes + 1);
  }

  return (
    <Card title={t.account.password}>
      <FieldsForm
        key={changes}
        fields={{
          current_password: { ...passwordField(t), label: t.account.currentPassword },
          new_password: newPasswordField(t),
        }}
        send={change}
        label={t.do.change}
      />
    </Card>
  );
}

function Data() {
  const { t, language } = useLocale();

  async function download(): Promise<void> {
    try {
      const { data } = await client.GET('/export');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([JSON.stringify(data)]));
      link.download = `${t.account.copyName}.json`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      showMessage(messageOf(error, language));
    }
  }

  return (
    <Card title={t.account.data}>
      <p className="muted">{t.account.dataText}</p>
      <Group mt="md">
        <Button variant="default" onClick={() => void download()}>
          {t.account.export}
        </Button>
        <ImportButton />
      </Group>
    </Card>
  );
}
