/** The pages before the sign-in. */
import { useEffect, useState, type ReactNode } from 'react';
import { Anchor, Container, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useWindowEvent } from '@mantine/hooks';
import { isApiError, NetworkError } from 'expense-service-client';
import { Link, useLocation } from 'wouter';
import { client, queries, signIn, signOut, useQuery, useSession } from '../api';
import { FieldError, Form } from '../components/Form';
import { Choice, Loaded, Logo, Nothing, usePageTitle } from '../components/Page';
import { orNull, useRules } from '../components/rules';
import { currencyOf, useLocale } from '../locale';
import { showMessage } from '../write';
import { EmailInput, NewPasswordInput, PasswordInput } from './inputs';

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
  const { required } = useRules();
  const isOver = useSession() === 'ended';
  const { data: offer } = useQuery(queries.query('/account'));
  const former = queries.query('/auth/me').getSnapshot().data;
  const form = useForm({
    initialValues: { email: former?.email ?? '', password: '' },
    validate: { email: required, password: required },
  });
  const end = isOver ? () => void signOut() : undefined;
  const fields = (
    <Form form={form} send={signIn} label={t.account.signIn} onCancel={end}>
      <EmailInput {...form.getInputProps('email')} />
      <PasswordInput {...form.getInputProps('password')} />
    </Form>
  );
  if (isOver) return fields;
  const links = {
    ...(offer && offer.registration !== 'closed' && { '/register': t.account.register }),
    ...(offer?.password_reset && { '/forgotten-password': t.account.forgotten }),
  };
  return (
    <Welcome title={t.account.signIn} links={links}>
      {fields}
    </Welcome>
  );
}

export function Register() {
  const { t, locale } = useLocale();
  const texts = t.account;
  const { required } = useRules();
  const [, navigate] = useLocation();
  const offer = useQuery(queries.query('/account'));
  const needsCode = offer.data?.registration === 'invitation';
  const form = useForm({
    initialValues: { first_name: '', email: '', password: '', invitation_code: '' },
    validate: {
      email: required,
      password: required,
      invitation_code: (code) => (needsCode ? required(code) : null),
    },
  });
  const input = form.getInputProps;

  async function register(account: typeof form.values): Promise<void> {
    const body = {
      ...account,
      locale,
      first_name: orNull(account.first_name),
      invitation_code: orNull(account.invitation_code),
      preferred_currency: currencyOf(locale),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      // What is left of a cycle stays in the accounts, and is no income of the next one.
      next_income_amount: 'zero' as const,
    };
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
            <Form form={form} send={register} label={texts.register}>
              <TextInput
                autoComplete="given-name"
                label={texts.firstName}
                {...input('first_name')}
              />
              <EmailInput {...input('email')} />
              <NewPasswordInput label={texts.password} {...input('password')} />
              <TextInput
                label={texts.code}
                description={needsCode ? texts.codeNeeded : texts.codeOptional}
                {...input('invitation_code')}
              />
            </Form>
          )
        }
      </Loaded>
    </Welcome>
  );
}

export function ForgottenPassword() {
  const { t } = useLocale();
  const texts = t.account;
  const { required } = useRules();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ initialValues: { email: '' }, validate: { email: required } });

  async function requestLink(body: { email: string }): Promise<void> {
    await client.POST('/account/password-reset', { body });
    setSentTo(body.email);
  }

  return (
    <Welcome title={texts.forgotten} links={{ '/': texts.backToSignIn }}>
      <p role="status">{sentTo ? texts.linkSent(sentTo) : texts.forgottenText}</p>
      <Form form={form} send={requestLink} label={sentTo ? texts.sendAgain : texts.sendLink}>
        <EmailInput {...form.getInputProps('email')} />
      </Form>
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
  const { required } = useRules();
  const form = useForm({
    initialValues: { new_password: '' },
    validate: { new_password: required },
  });

  async function setPassword(body: { new_password: string }): Promise<void> {
    try {
      await client.POST('/account/password-reset/confirm', { body: { token, ...body } });
    } catch (error) {
      throw error instanceof NetworkError ? new FieldError('', texts.lostAnswer) : error;
    }
    showMessage(texts.passwordSet);
    navigate('/');
  }

  const links = {
    '/': texts.signIn,
    ...(offer?.password_reset && { '/forgotten-password': texts.anotherLink }),
  };
  return (
    <Welcome title={texts.newPassword} links={links}>
      {token ? (
        <Form form={form} send={setPassword} label={t.do.save}>
          <NewPasswordInput {...form.getInputProps('new_password')} />
        </Form>
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
  const form = useForm({ initialValues: {} });
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
        <Form key={token} form={form} send={confirm} label={texts.confirm} />
      )}
    </Welcome>
  );
}
