import { useState } from 'react';
import { SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { queries, useMe } from '../api';
import { Card, Loaded, PageHead } from '../components/Page';
import { RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { showMessage } from '../write';
import { AccessTokens, CalendarFeeds, CURRENCIES, Sessions } from './access';
import { newPasswordField, timeZoneField } from './SignInPages';

export function Settings() {
  const { t } = useLocale();
  const me = useMe();
  return (
    <>
      <PageHead title={t.nav.settings} />
      <div className="columns">
        <Stack gap="md">
          <Loaded state={me} height={480}>
            {(user) => <Profile user={user} />}
          </Loaded>
          <CalendarFeeds />
        </Stack>
        <Stack gap="md">
          <Appearance />
          <Password />
          <AccessTokens />
          <Sessions />
        </Stack>
      </div>
    </>
  );
}

function Profile({ user }: { user: Schemas['UserResponse'] }) {
  const { t, locale } = useLocale();
  const texts = t.account;
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' });
  const locales = ['en-US', 'es-MX', user.locale].map((each) => [each, names.of(each) ?? each]);
  const currency = { value: user.preferred_currency, options: CURRENCIES };
  return (
    <Card title={texts.profile} end={<span className="muted">{user.email}</span>}>
      <RecordForm<Schemas['UpdateProfileDto']>
        fields={{
          first_name: { label: texts.firstName, value: user.first_name, optional: true },
          last_name: { label: texts.lastName, value: user.last_name, optional: true },
          locale: {
            ...{ label: texts.language, value: user.locale },
            options: Object.fromEntries(locales),
          },
          time_zone: timeZoneField(t, user.time_zone),
          preferred_currency: { label: texts.currency, ...currency },
          minimum_balance: {
            ...{ label: t.overview.minimum, kind: 'money', value: user.minimum_balance },
          },
          next_income_amount: {
            ...{ label: texts.nextIncome, description: texts.nextIncomeText },
            ...{ value: user.next_income_amount, options: texts.nextIncomes },
          },
        }}
        send={async (body) => {
          await queries.send('PUT', '/auth/me', { body });
          showMessage(t.done.saved(texts.profile));
        }}
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
        {...{ 'aria-label': t.account.appearance, fullWidth: true }}
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
  return (
    <Card title={t.account.password}>
      <RecordForm<Schemas['ChangePasswordDto']>
        key={changes}
        fields={{
          current_password: { label: t.account.currentPassword, kind: 'password' },
          new_password: newPasswordField(t),
        }}
        send={async (body) => {
          await queries.send('PUT', '/auth/me/password', { body });
          showMessage(t.account.passwordChanged);
          setChanges(changes + 1);
        }}
        label={t.do.change}
      />
    </Card>
  );
}
