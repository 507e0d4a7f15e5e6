/** The frame of every page: navigation, what can be added, and the account. */
import { useEffect, useState, type ReactNode } from 'react';
import {
  ActionIcon,
  AppShell,
  Button,
  Container,
  Group,
  Stack,
  UnstyledButton,
} from '@mantine/core';
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import {
  IconCalendarMonth,
  IconChartBar,
  IconChevronDown,
  IconDots,
  IconPlus,
  IconTimelineEvent,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { queries, signOut, useMe } from './api';
import { FormDrawer } from './components/FormDrawer';
import { ItemMenu, type MenuItem } from './components/ItemMenu';
import { lazyOf } from './components/Lazy';
import { Logo, useIsNarrow } from './components/Page';
import { PanelProvider } from './components/Panel';
import type { Other } from './entries/Spent';
import { useLocale } from './locale';
import { useIsOffline } from './offline';
import { undoLastChange } from './write';

const EntryForm = lazyOf(async () => (await import('./entries/EntryForm')).EntryForm);
const Spent = lazyOf(async () => (await import('./entries/Spent')).Spent);
const TemplateForm = lazyOf(async () => (await import('./planning/TemplateForm')).TemplateForm);

const HEADER = 56;
const FOOTER = 60;

/** How often it is tried to read again without a connection. */
const RETRY_MS = 10_000;
const refresh = () => void queries.refresh();

export function Shell({ children }: { children: ReactNode }) {
  const { t, setLocale } = useLocale();
  const { data: me } = useMe();
  const isOffline = useIsOffline();
  const [path] = useLocation();
  const [added, setAdded] = useState<Other | 'spent'>();
  const addItems = (['expense', 'income', 'recurring'] as const).map((kind) => ({
    label: kind === 'expense' ? t.add.planned : t.add[kind],
    run: () => setAdded(kind),
  }));
  const addSpent = () => setAdded('spent');
  useHotkeys([['mod+Z', undoLastChange]]);
  useWindowEvent('online', refresh);
  useEffect(() => {
    if (!isOffline) return;
    const timer = setInterval(refresh, RETRY_MS);
    return () => clearInterval(timer);
  }, [isOffline]);
  useEffect(() => {
    scrollTo(0, 0);
  }, [path]);
  useEffect(() => {
    if (me) setLocale(me.locale);
  }, [me?.locale]);

  return (
    <AppShell header={{ height: HEADER }} footer={{ height: { base: FOOTER, sm: 0 } }}>
      <a className="hidden" href="#content">
        {t.nav.skip}
      </a>
      <Header addItems={addItems} onAdd={addSpent} />
      <AppShell.Main id="content" tabIndex={-1}>
        {isOffline && (
          <p className="danger offline" role="status">
            {t.problem.noConnection}
          </p>
        )}
        <Container size={1232} px={{ base: 0, sm: 'md' }}>
          <Stack className="page" py={{ base: 'md', sm: 'lg' }} gap="md">
            <PanelProvider>{children}</PanelProvider>
          </Stack>
        </Container>
      </AppShell.Main>
      <Tabs onAdd={addSpent} />
      <AddDrawer added={added} onAdd={setAdded} />
    </AppShell>
  );
}

/** In the header of a wide screen. Those with an icon are tabs of a phone, the others in its menu. */
function useMainPages() {
  const { t } = useLocale();
  const [path] = useLocation();
  const pages: { href: string; label: string; icon?: Icon }[] = [
    { href: '/', label: t.nav.overview, icon: IconTimelineEvent },
    { href: '/accounts', label: t.nav.accounts },
    { href: '/cycles', label: t.nav.cycles, icon: IconCalendarMonth },
    { href: '/recurring', label: t.nav.recurring },
    { href: '/budgets', label: t.nav.budgets, icon: IconChartBar },
  ];
  return pages.map((page) => ({
    ...page,
    isCurrent: page.href === '/' ? path === '/' : path.startsWith(page.href),
  }));
}

/** The pages that are no tabs of a phone, and the account. */
function AccountMenu({ children }: { children: ReactNode }) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const withoutTab = useMainPages()
    .filter(({ icon }) => !icon)
    .map(({ href, label }) => ({ label, run: () => navigate(href) }));
  const items = [
    // An item that is only hidden would stop the arrow keys.
    ...(useIsNarrow() ? withoutTab : []),
    { label: t.activity.title, run: () => navigate('/activity') },
    { label: t.nav.settings, run: () => navigate('/settings') },
    { label: t.nav.signOut, run: () => void signOut() },
  ];
  return <ItemMenu items={items}>{children}</ItemMenu>;
}

function Header({ addItems, onAdd }: { addItems: MenuItem[]; onAdd: () => void }) {
  const { t } = useLocale();
  return (
    <AppShell.Header>
      <Container size={1232}>
        <Group h={HEADER} gap="md" wrap="nowrap">
          <Link href="/" className="brand" aria-label={t.name}>
            <Logo />
            <span>{t.name}</span>
          </Link>
          <Group component="nav" aria-label={t.nav.main} gap={0} wrap="nowrap" visibleFrom="sm">
            {useMainPages().map(({ href, label, isCurrent }) => (
              <Link
                key={href}
                href={href}
                className="page-link"
                aria-current={isCurrent ? 'page' : undefined}
              >
                {label}
              </Link>
            ))}
          </Group>
          <Group gap="xs" ml="auto" wrap="nowrap">
            <Button.Group visibleFrom="sm">
              <Button leftSection={<IconPlus size={18} />} onClick={onAdd}>
                {t.nav.add}
              </Button>
              <ItemMenu items={addItems}>
                <Button px={8} className="split" aria-label={t.nav.addOther}>
                  <IconChevronDown size={16} />
                </Button>
              </ItemMenu>
            </Button.Group>
            <AccountMenu>
              <ActionIcon variant="default" radius="xl" size={36} aria-label={t.nav.account}>
                <IconUser size={16} />
              </ActionIcon>
            </AccountMenu>
          </Group>
        </Group>
      </Container>
    </AppShell.Header>
  );
}

/** The most used pages on a phone, and the button that adds between them. */
function Tabs({ onAdd }: { onAdd: () => void }) {
  const { t } = useLocale();
  const tabs = useMainPages().flatMap(({ href, label, icon: PageIcon, isCurrent }) =>
    PageIcon ? (
      <Link key={href} href={href} className="tab" aria-current={isCurrent ? 'page' : undefined}>
        <PageIcon size={20} />
        {label}
      </Link>
    ) : (
      []
    ),
  );
  return (
    <AppShell.Footer hiddenFrom="sm">
      <Group component="nav" aria-label={t.nav.main} h={FOOTER} justify="space-around" gap={0}>
        {tabs.slice(0, 2)}
        <ActionIcon size={44} radius={12} aria-label={t.nav.add} onClick={onAdd}>
          <IconPlus size={22} />
        </ActionIcon>
        {tabs.slice(2)}
        <AccountMenu>
          <UnstyledButton className="tab">
            <IconDots size={20} />
            {t.nav.more}
          </UnstyledButton>
        </AccountMenu>
      </Group>
    </AppShell.Footer>
  );
}

interface AddDrawerProps {
  added: Other | 'spent' | undefined;
  onAdd: (added: Other | undefined) => void;
}

function AddDrawer({ added, onAdd }: AddDrawerProps) {
  const { t } = useLocale();
  const close = () => onAdd(undefined);
  return (
    <FormDrawer
      title={added && t.add[added]}
      opened={added !== undefined}
      isSheet={added !== 'recurring'}
      onClose={close}
    >
      {added === 'spent' && <Spent onOther={onAdd} onDone={close} />}
      {added === 'recurring' && <TemplateForm onDone={close} />}
      {(added === 'expense' || added === 'income') && <EntryForm kind={added} onDone={close} />}
    </FormDrawer>
  );
}
