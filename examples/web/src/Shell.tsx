/** The frame of every page: navigation, what can be added, and the account. */
import { useEffect, useState, type ReactNode } from 'react';
import { ActionIcon, Box, Button, Container, Group, Stack, UnstyledButton } from '@mantine/core';
import { useHotkeys, useNetwork } from '@mantine/hooks';
import { IconCalendarMonth, IconChartBar, IconChevronDown, IconDots } from '@tabler/icons-react';
import { IconPlus, IconRepeat, IconTimelineEvent, IconUser, IconWallet } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { queries, signOut, useMe } from './api';
import { ItemMenu, Logo, type MenuItem } from './components/Page';
import { PanelProvider } from './components/Panel';
import { FormDrawer } from './components/RecordForm';
import { EntryForm } from './entries/EntryForm';
import { Spent, type Other } from './entries/Spent';
import { useLocale } from './locale';
import { TemplateForm } from './planning/TemplateForm';
import { undoLastChange } from './write';

export function Shell({ children }: { children: ReactNode }) {
  const { t, setLocale } = useLocale();
  const { data: me } = useMe();
  const { online } = useNetwork();
  const [path, navigate] = useLocation();
  const [added, setAdded] = useState<Other | 'spent'>();
  const close = () => setAdded(undefined);
  useHotkeys([['mod+Z', undoLastChange]]);
  useEffect(() => {
    if (online) void queries.refresh();
  }, [online]);
  useEffect(() => {
    scrollTo(0, 0);
  }, [path]);
  useEffect(() => {
    if (me) setLocale(me.locale);
  }, [me?.locale]);

  const pages = [
    { href: '/', label: t.nav.overview, icon: IconTimelineEvent },
    { href: '/accounts', label: t.nav.accounts, icon: IconWallet },
    { href: '/cycles', label: t.nav.cycles, icon: IconCalendarMonth },
    { href: '/recurring', label: t.nav.recurring, icon: IconRepeat },
    { href: '/budgets', label: t.nav.budgets, icon: IconChartBar },
  ];
  const current = (href: string) =>
    (href === '/' ? path === '/' : path.startsWith(href)) ? ('page' as const) : undefined;
  const addItems: MenuItem[] = (['expense', 'income', 'recurring'] as const).map((kind) => ({
    label: kind === 'expense' ? t.add.planned : t.add[kind],
    run: () => setAdded(kind),
  }));
  const accountItems: MenuItem[] = [
    { label: t.nav.accounts, run: () => navigate('/accounts'), hiddenFrom: 'sm' },
    { label: t.nav.recurring, run: () => navigate('/recurring'), hiddenFrom: 'sm' },
    { label: t.nav.settings, run: () => navigate('/settings') },
    { label: t.nav.signOut, run: () => void signOut() },
  ];

  return (
    <>
      <a className="hidden" href="#content">
        {t.nav.skip}
      </a>
      <Box component="header" bg="var(--card)" style={{ borderBottom: '1px solid var(--line)' }}>
        <Container size={1232}>
          <Group h={56} gap={4}>
            <Link href="/" className="brand">
              <Logo />
              {t.name}
            </Link>
            <Group component="nav" aria-label={t.nav.main} gap={4} ml="lg" visibleFrom="sm">
              {pages.map(({ href, label }) => (
                <Link key={href} href={href} className="page-link" aria-current={current(href)}>
                  {label}
                </Link>
              ))}
            </Group>
            <Group gap="xs" ml="auto">
              <Button.Group visibleFrom="sm">
                <Button leftSection={<IconPlus size={18} />} onClick={() => setAdded('spent')}>
                  {t.nav.add}
                </Button>
                <ItemMenu items={addItems}>
                  <Button px={8} className="split" aria-label={t.nav.addOther}>
                    <IconChevronDown size={16} />
                  </Button>
                </ItemMenu>
              </Button.Group>
              <ItemMenu items={accountItems}>
                <ActionIcon variant="default" radius="xl" size={32} aria-label={t.nav.account}>
                  <IconUser size={16} />
                </ActionIcon>
              </ItemMenu>
            </Group>
          </Group>
        </Container>
      </Box>
      {!online && (
        <p className="danger" role="status" style={{ padding: 8, textAlign: 'center' }}>
          {t.problem.noConnection}
        </p>
      )}
      <Container component="main" id="content" tabIndex={-1} size={1232} px={{ base: 0, sm: 'md' }}>
        <Stack className="page" pt={{ base: 'md', sm: 'lg' }} pb={96} gap="md">
          <PanelProvider>{children}</PanelProvider>
        </Stack>
      </Container>
      <Group
        {...{ component: 'nav', className: 'tabs', hiddenFrom: 'sm' }}
        {...{ justify: 'space-around', wrap: 'nowrap', gap: 0 }}
        aria-label={t.nav.main}
      >
        {pages
          .filter(({ href }) => href !== '/accounts' && href !== '/recurring')
          .toSpliced(2, 0, { href: '', label: t.nav.add, icon: IconPlus })
          .map(({ href, label, icon: Icon }) =>
            href ? (
              <Link key={href} href={href} className="tab" aria-current={current(href)}>
                <Icon size={20} />
                {label}
              </Link>
            ) : (
              <ActionIcon
                key="add"
                {...{ size: 44, radius: 12, 'aria-label': label }}
                onClick={() => setAdded('spent')}
              >
                <Icon size={22} />
              </ActionIcon>
            ),
          )}
        <ItemMenu items={accountItems}>
          <UnstyledButton className="tab">
            <IconDots size={20} />
            {t.nav.more}
          </UnstyledButton>
        </ItemMenu>
      </Group>
      <FormDrawer
        {...{ opened: added !== undefined, onClose: close, title: added && t.add[added] }}
        isSheet={added !== 'recurring'}
      >
        {added === 'spent' && <Spent onOther={setAdded} onDone={close} />}
        {added === 'recurring' && <TemplateForm onDone={close} />}
        {(added === 'expense' || added === 'income') && <EntryForm kind={added} onDone={close} />}
      </FormDrawer>
    </>
  );
}
