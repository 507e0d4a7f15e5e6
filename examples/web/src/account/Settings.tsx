import { useState } from 'react';
import { SegmentedControl, Stack, Tabs, useMantineColorScheme } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { useLocation } from 'wouter';
import { queries, useMe, useQuery } from '../api';
import { Card, Loaded, PageHead } from '../components/Page';
import { RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { showMessage } from '../write';
import { CalendarFeeds, CURRENCIES, Sessions } from './access';
import { Assistants } from './Assistants';
import { Reminders } from './Reminders';
import { newPasswordField, timeZoneField } from './SignInPages';

const PARTS = {
  account: Account,
  reminders: Mails,
  assistants: Assistants,
  'sign-ins': SignIns,
};
type Part = keyof typeof PARTS;

/** @param props.part the last part of the path; left out, that of the account */
export function Settings({ part = '' }: { part: string | undefined }) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const shown = part in PARTS ? part : 'account';
  const labels = Object.entries(t.settings.parts);
  return (
    <Stack gap="md" maw={840} w="100%" mx="auto" className="page">
      <PageHead title={t.nav.settings} />
      <Tabs
        className="page"
        {...{ value: shown, keepMounted: false }}
        onChange={(next) => navigate(next === 'account' ? '/settings' : `/settings/${next}`)}
      >
        <Tabs.List mb="md" style={{ columnGap: 'clamp(12px, 4vw, 24px)' }}>
          {labels.map(([value, label]) => (
            <Tabs.Tab
              key={value}
              {...{ value, px: 0, fw: 500 }}
              c={value === shown ? '' : 'dimmed'}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {labels.map(([value]) => {
          const Content = PARTS[value as Part];
          return (
            <Tabs.Panel key={value} value={value} className="page">
              <Stack gap="md" className="page">
                <Content />
              </Stack>
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Stack>
  );
}

function Account() {
  return (
    <>
      <Loaded state={useMe()} height={480}>
        {(user) => (
          <>
            <Profile user={user} />
            <Everywhere user={user} />
          </>
        )}
      </Loaded>
      <Appearance />
    </>
  );
}

function Mails() {
  const me = useMe();
  const offer = useQuery(queries.query('/account'));
  return (
    <>
      <Loaded state={offer} height={144}>
        {({ reminders }) =>
          reminders && (
            <Loaded state={me} height={144}>
              {(user) => <Reminders user={user} />}
            </Loaded>
          )
        }
      </Loaded>
      <CalendarFeeds />
    </>
  );
}

function SignIns() {
  return (
    <>
      <Sessions />
      <Password />
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

function Everywhere({ user }: { user: Schemas['UserResponse'] }) {
  const { t } = useLocale();
  const { nextIncome, nextIncomeText, nextIncomes } = t.account;
  return (
    <Card title={t.settings.everywhere}>
      <RecordForm<Schemas['UpdateProfileDto']>
        fields={{
          minimum_balance: {
            ...{ label: t.overview.minimum, description: t.settings.minimumText },
            ...{ kind: 'money', value: user.minimum_balance, half: true },
          },
          next_income_amount: {
            ...{ label: nextIncome, description: nextIncomeText, half: true },
            ...{ value: user.next_income_amount, options: nextIncomes },
          },
        }}
        send={async (body) => {
          await queries.send('PUT', '/auth/me', { body });
          showMessage(t.done.saved(t.settings.everywhere));
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
