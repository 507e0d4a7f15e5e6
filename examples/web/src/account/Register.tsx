import { useLocation } from 'wouter';
import type { Schemas } from 'expense-service-client';
import { client, queries, signIn, useQuery } from '../api';
import { Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { emailField, newPasswordField, timeZoneField } from './fields';
import { FieldsForm } from './FieldsForm';
import { Welcome } from './Welcome';

export function Register() {
  const { t } = useLocale();
  const offer = useQuery(queries.query('/account'));
  return (
    <Welcome title={t.account.register} links={{ '/': t.account.haveAccount }}>
      <Loaded state={offer}>
        {({ registration }) =>
          registration === 'closed' ? (
            <Nothing title={t.account.closed} text={t.account.closedText} />
          ) : (
            <RegistrationForm isInvited={registration === 'invitation'} />
          )
        }
      </Loaded>
    </Welcome>
  );
}

function RegistrationForm({ isInvited }: { isInvited: boolean }) {
  const { t, locale } = useLocale();
  const a = t.account;
  const [, navigate] = useLocation();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

  async function register(account: Omit<Schemas['RegisterDto'], 'locale'>): Promise<void> {
    const first_name = account.first_name || null;
    const invitation_code = account.invitation_code || null;
    const body = { ...account, first_name, invitation_code, locale };
    await client.POST('/auth/register', { body });
    // The account exists: a sign-in that fails is tried again on its own page.
    await signIn(account).catch(() => undefined);
    navigate('/');
  }

  return (
    <FieldsForm
      fields={{
        first_name: { label: a.firstName, autoComplete: 'given-name' },
        email: emailField(t),
        password: { ...newPasswordField(t), label: a.password },
        time_zone: timeZoneField(t, timeZone),
        invitation_code: { label: a.code, description: isInvited ? a.codeNeeded : a.codeOptional },
      }}
      validate={{
        invitation_code: (code) => (isInvited && !code ? t.fields.required : null),
      }}
      send={register}
      label={a.register}
    />
  );
}
