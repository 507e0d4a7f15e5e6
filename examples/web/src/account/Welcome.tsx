import type { ReactNode } from 'react';
import { Anchor, Container, Group, Paper, SegmentedControl, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { useLocale } from '../locale';
import { Logo } from '../Shell';

interface WelcomeProps {
  title: string;
  /** Other pages, by their addresses. */
  links: Record<string, string>;
  children: ReactNode;
}

/** The frame of the pages before the sign-in. */
export function Welcome({ title, links, children }: WelcomeProps) {
  const { t, language, setLocale } = useLocale();
  const languages = { en: 'English', es: 'Español' };
  return (
    <Container component="main" size={432} py={48}>
      <Group justify="space-between">
        <span className="brand">
          <Logo />
          {t.name}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={t.account.language}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={(value) => setLocale(value === 'es' ? 'es-MX' : 'en-US')}
        />
      </Group>
      <Paper className="card" p="lg" my="lg">
        <Stack gap="lg">
          <div>
            <h1>{title}</h1>
            <p className="muted">{t.account.promise}</p>
          </div>
          {children}
        </Stack>
      </Paper>
      <Group justify="space-between">
        {Object.entries(links).map(([to, label]) => (
          <Anchor key={to} component={Link} href={to}>
            {label}
          </Anchor>
        ))}
      </Group>
    </Container>
  );
}
