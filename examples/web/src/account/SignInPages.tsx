/** The pages before the sign-in. */
import { useEffect, useState, type ReactNode } from 'react';
import { Anchor, Container, Group, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { isApiError, NetworkError, type Schemas } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { client, queries, signIn, signOut, useQuery, useSession } from '../api';
import { Choice, Loaded, Logo, Nothing, usePageTitle } from '../components/Page';
import { FieldError, RecordForm, type Field } from '../components/RecordForm';
import { useLocale } from '../locale';
import type { Texts } from '../texts';
import { showMessage } from '../write';

export const newPasswordField = ({ account: texts }: Texts) => ({
  ...{ label: texts.newPassword, kind: 'password' as const, autoComplete: 'new-password' },
  description: texts.passwordText,
});

const emailField = ({ account: texts }: Texts, value?: string) => ({
  ...{ label: texts.email, kind: 'email' as const, autoComplete: 'username', value },
});

/** The zones that the browser knows, and the one that was chosen elsewhere. */
export function timeZoneField({ account: texts }: Texts, value: string): Field<object> {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', value])];
  const options = Object.fromEntries(zones.map((zone) => [zone, zone.replaceAll('_', ' ')]));
  return { label: texts.timeZone, description: texts.timeZoneText, value, options };
}

interface WelcomeProps {
  title: string;
  /** Other pages, by their addresses. */
  links: Record<string, string>;
  children: ReactNode;
}

function Welcome({ title, links, children }: WelcomeProps) {
  const { t, language, setLocale } = useLocale();
  usePageTitle(title);
  return (
    <Container component="main" size={432} py={48}>
      <Group justify="space-between">
        <span className="brand">
          <Logo />
          {t.name}
        </span>
        <Choice
          label={t.account.language}
          options={{ en: 'English', es: 'Español' }}
          value={language}
          onChange={(value) => setLocale(value === 'es' ? 'es-MX' : 'en-US')}
        />
      </Group>
      <Stack className="card" p="lg" my="lg">
        <div>
          <h1>{title}</h1>
          <p className="muted">{t.account.promise}</p>
        </div>
        {children}
      </Stack>
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

/** A page; after the end of a session a form over the other pages, without a frame of its own. */
export function SignIn() {
  const { t } = useLocale();
  const isOver = useSession() === 'ended';
  const { data: offer } = useQuery(queries.query('/account'));
  const former = queries.query('/auth/me').getSnapshot().data;
  const password = { label: t.account.password, autoComplete: 'current-password' };
  const form = (
    <RecordForm<{ email: string; password: string }>
      fields={{
        email: emailField(t, former?.email),
        password: { ...password, kind: 'password' },
      }}
      send={signIn}
      label={t.account.signIn}
      onCancel={isOver ? () => void signOut() : undefined}
    />
  );
  if (isOver) return form;
  const links = {
    ...(offer && offer.registration !== 'closed' && { '/register': t.account.register }),
    ...(offer?.password_reset && { '/forgotten-password': t.account.forgotten }),
  };
  return (
    <Welcome title={t.account.signIn} links={links}>
      {form}
    </Welcome>
  );
}

export function Register() {
  const { t, locale } = useLocale();
  const texts = t.account;
  const [, navigate] = useLocation();
  const offer = useQuery(queries.query('/account'));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

  async function register(account: Schemas['RegisterDto']): Promise<void> {
    // What is left of a cycle stays in the accounts, and is no income of the next one.
    const body = { ...account, locale, next_income_amount: 'zero' as const };
    await client.POST('/auth/register', { body });
    // The account exists: a sign-in that fails is tried again on its own page.
    await signIn(account).catch(() => undefined);
    navigate('/');
  }

  return (
    <Welcome title={texts.register} links={{ '/': texts.haveAccount }}>
      <Loaded state={offer}>
        {({ registration }) =>
          registration === 'closed' ? (
            <Nothing title={texts.closed} text={texts.closedText} />
          ) : (
            <RecordForm<Schemas['RegisterDto']>
              fields={{
                first_name: { label: texts.firstName, autoComplete: 'given-name', optional: true },
                email: emailField(t),
                password: { ...newPasswordField(t), label: texts.password },
                time_zone: timeZoneField(t, timeZone),
                invitation_code: {
                  ...{ label: texts.code, optional: registration !== 'invitation' },
                  description:
                    registration === 'invitation' ? texts.codeNeeded : texts.codeOptional,
                },
              }}
              send={register}
              label={texts.register}
            />
          )
        }
      </Loaded>
    </Welcome>
  );
}

export function ForgottenPassword() {
  const { t } = useLocale();
  const texts = t.account;
  const [sentTo, setSentTo] = useState<string>();

  async function requestLink(body: { email: string }): Promise<void> {
    await client.POST('/account/password-reset', { body });
    setSentTo(body.email);
  }

  return (
    <Welcome title={texts.forgotten} links={{ '/': texts.backToSignIn }}>
      <p role="status">{sentTo ? texts.linkSent(sentTo) : texts.forgottenText}</p>
      <RecordForm<{ email: string }>
        fields={{ email: emailField(t) }}
        send={requestLink}
        label={sentTo ? texts.sendAgain : texts.sendLink}
      />
    </Welcome>
  );
}

/** The token behind the `#` of a link in a mail; empty without one. */
function useLinkToken(): string {
  const [token, setToken] = useState(location.hash.slice(1));
  useEffect(takeToken, []);
  useWindowEvent('hashchange', takeToken);

  /** So that it is neither in the history nor in a bookmark. */
  function takeToken(): void {
    if (!location.hash) return;
    setToken(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }

  return token;
}

/** The page of the link in the mail. */
export function ResetPassword() {
  const { t } = useLocale();
  const texts = t.account;
  const [, navigate] = useLocation();
  const { data: offer } = useQuery(queries.query('/account'));
  const token = useLinkToken();
  const [isLost, setLost] = useState(false);

  async function setPassword(body: { new_password: string }): Promise<void> {
    setLost(false);
    try {
      await client.POST('/account/password-reset/confirm', { body: { token, ...body } });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      return setLost(true);
    }
    showMessage(texts.passwordSet);
    navigate('/');
  }

  const links = {
    ...{ '/': texts.signIn },
    ...(offer?.password_reset && { '/forgotten-password': texts.anotherLink }),
  };
  return (
    <Welcome title={texts.newPassword} links={links}>
      {isLost && <p role="alert">{texts.lostAnswer}</p>}
      {token ? (
        <RecordForm<{ new_password: string }>
          fields={{ new_password: newPasswordField(t) }}
          send={setPassword}
          label={t.do.save}
        />
      ) : (
        <Nothing title={texts.noToken} text={texts.noTokenText} />
      )}
    </Welcome>
  );
}

/** The same for reminders. A press confirms them, because programs that check mails open links. */
export function ConfirmReminders() {
  const { t } = useLocale();
  const texts = t.settings.reminders;
  const token = useLinkToken();
  // Of the link that was confirmed: another one can be opened in the same page.
  const [confirmed, setConfirmed] = useState('');
  const isConfirmed = token === confirmed;

  async function confirm(): Promise<void> {
    try {
      await queries.send('POST', '/account/reminders/confirm', { body: { token } });
    } catch (error) {
      throw isApiError(error, 'INVALID_TOKEN') ? new FieldError('', texts.used) : error;
    }
    setConfirmed(token);
  }

  return (
    <Welcome title={texts.confirmTitle} links={{ '/settings/reminders': texts.toSettings }}>
      {!token && <Nothing title={t.account.noToken} text={t.account.noTokenText} />}
      {token && <p role="status">{isConfirmed ? texts.confirmed : texts.confirmText}</p>}
      {token && !isConfirmed && (
        <RecordForm key={token} fields={{}} send={confirm} label={texts.confirm} />
      )}
    </Welcome>
  );
}
