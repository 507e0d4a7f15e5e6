import { SegmentedControl, Stack, Tabs, useMantineColorScheme } from '@mantine/core';
import { useLocation } from 'wouter';
import { queries, useMe, useQuery } from '../api';
import { optionsOf } from '../components/inputs';
import { Card, Loaded, PageHead } from '../components/Page';
import { useLocale } from '../locale';
import { Assistants } from './Assistants';
import { CalendarFeeds } from './CalendarFeeds';
import { DataCopy } from './DataCopy';
import { Everywhere, Profile } from './Profile';
import { Reminders } from './Reminders';
import { Password, Sessions } from './Sessions';

const PARTS = {
  account: <Account />,
  reminders: <Mails />,
  assistants: <Assistants />,
  'sign-ins': (
    <>
      <Sessions />
      <Password />
    </>
  ),
  data: <DataCopy />,
};

/** @param props.part the last part of the path; left out, that of the account */
export function Settings({ part = '' }: { part: string | undefined }) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const shown = part in PARTS ? part : 'account';
  return (
    <Stack gap="md" maw={840} w="100%" mx="auto" className="page">
      <PageHead title={t.nav.settings} />
      <Tabs
        className="page"
        value={shown}
        onChange={(next) => navigate(next === 'account' ? '/settings' : `/settings/${next}`)}
      >
        <Tabs.List>
          {Object.entries(t.settings.parts).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(PARTS).map(([value, content]) => (
          <Tabs.Panel key={value} value={value} className="page">
            <Stack gap="md" className="page">
              {content}
            </Stack>
          </Tabs.Panel>
        ))}
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
  const { data: offer } = useQuery(queries.query('/account'));
  return (
    <>
      {offer?.reminders && (
        <Loaded state={me} height={144}>
          {(user) => <Reminders user={user} />}
        </Loaded>
      )}
      <CalendarFeeds />
    </>
  );
}

function Appearance() {
  const { t } = useLocale();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card title={t.account.appearance}>
      <SegmentedControl
        fullWidth
        aria-label={t.account.appearance}
        data={optionsOf(t.account.schemes)}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </Card>
  );
}
