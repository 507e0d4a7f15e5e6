/** The frame of every page: navigation, what can be added, and the account. */
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys, useNetwork } from '@mantine/hooks';
import {
  IconCalendarMonth,
  IconChartBar,
  IconDots,
  IconPlus,
  IconTimelineEvent,
  IconUser,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { queries, signOut, useMe } from './api';
import { FormDrawer } from './components/forms';
import { EntryForm } from './entries/EntryForm';
import { useLocale } from './locale';
import { TemplateForm } from './planning/TemplateForm';
import { undoLastChange } from './write';

type NewRecord = 'expense' | 'income' | 'recurring';

export function Shell({ children }: { children: ReactNode }) {
  const { t, setLocale } = useLocale();
  const { data: me } = useMe();
  const { online } = useNetwork();
  const [path, navigate] = useLocation();
  const [added, setAdded] = useState<NewRecord>();
  useHotkeys([['mod+Z', undoLastChange]]);
  useEffect(() => {
    if (online) void queries.refresh();
  }, [online]);
  useEffect(() => {
    if (me) setLocale(me.locale);
  }, [me?.locale]);

  const pages = [
    { to: '/', label: t.nav.overview, icon: IconTimelineEvent },
    { to: '/cycles', label: t.nav.cycles, icon: IconCalendarMonth },
    { to: '/recurring', label: t.nav.recurring, icon: IconDots },
    { to: '/budgets', label: t.nav.budgets, icon: IconChartBar },
  ];
  const current = (to: string) =>
    (to === '/' ? path === '/' : path.startsWith(to)) ? ('page' as const) : undefined;

  const addMenu = (target: ReactNode) => (
    <Menu position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {(['expense', 'income', 'recurring'] as const).map((kind) => (
          <Menu.Item key={kind} onClick={() => setAdded(kind)}>
            {t.add[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  const accountMenu = (target: ReactNode) => (
    <Menu position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item hiddenFrom="sm" onClick={() => navigate('/recurring')}>
          {t.nav.recurring}
        </Menu.Item>
        <Menu.Item onClick={() => navigate('/settings')}>{t.nav.settings}</Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t.nav.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );

  return (
    <>
      <a className="skip" href="#content">
        {t.nav.skip}
      </a>
      <header className="top">
        <Link href="/" className="brand">
          <Logo />
          {t.name}
        </Link>
        <nav aria-label={t.nav.main}>
          {pages.map(({ to, label }) => (
            <Link key={to} href={to} aria-current={current(to)}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="top-end">
          {addMenu(
            <Button className="wide" leftSection={<IconPlus size={18} />}>
              {t.nav.add}
            </Button>,
          )}
          {accountMenu(
            <ActionIcon variant="default" radius="xl" size={32} aria-label={t.nav.account}>
              <IconUser size={16} />
            </ActionIcon>,
          )}
        </div>
      </header>
      {!online && (
        <p className="offline" role="status">
          {t.problem.noConnection}
        </p>
      )}
      <main id="content" className="page" tabIndex={-1}>
        {children}
      </main>
      <nav className="tabs" aria-label={t.nav.main}>
        {[...pages.slice(0, 2), undefined, ...pages.slice(3)].map((page) =>
          page ? (
            <Link key={page.to} href={page.to} aria-current={current(page.to)}>
              <page.icon size={20} />
              {page.label}
            </Link>
          ) : (
            <Fragment key="add">
              {addMenu(
                <ActionIcon size={44} radius={12} aria-label={t.nav.add}>
                  <IconPlus size={22} />
                </ActionIcon>,
              )}
            </Fragment>
          ),
        )}
        {accountMenu(
          <button className="more">
            <IconDots size={20} />
            {t.nav.more}
          </button>,
        )}
      </nav>
      <FormDrawer
        opened={added !== undefined}
        onClose={() => setAdded(undefined)}
        title={added && t.add[added]}
      >
        {added === 'recurring' && <TemplateForm onDone={() => setAdded(undefined)} />}
        {(added === 'expense' || added === 'income') && (
          <EntryForm kind={added} onDone={() => setAdded(undefined)} />
        )}
      </FormDrawer>
    </>
  );
}

/** A balance that falls and rises. */
export function Logo() {
  return (
    <svg width="22" height="16" viewBox="0 0 22 16" fill="none" aria-hidden="true">
      <path d="M1 3h7v5h5v5h8" stroke="currentColor" strokeWidth="2.5" />
      <path d="M8 3h5v5" stroke="currentColor" strokeWidth="2" opacity="0.45" />
    </svg>
  );
}
