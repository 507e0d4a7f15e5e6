import { useEffect, useState } from 'react';
import { useWindowEvent } from '@mantine/hooks';
import { NetworkError } from 'expense-service-client';
import { useLocation } from 'wouter';
import { client, queries, useQuery } from '../api';
import { Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { showMessage } from '../write';
import { newPasswordField } from './fields';
import { FieldsForm } from './FieldsForm';
import { Welcome } from './Welcome';

/** The page of the link in the mail, whose token stands behind the `#`. */
export function ResetPassword() {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const { data: offer } = useQuery(queries.query('/account'));
  const [token, setToken] = useState(location.hash.slice(1));
  const [isLost, setLost] = useState(false);
  useEffect(takeToken, []);
  useWindowEvent('hashchange', takeToken);

  /** So that it is neither in the history nor in a bookmark. */
  function takeToken(): void {
    if (!location.hash) return;
    setToken(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }

  async function setPassword({ new_password }: { new_password: string }): Promise<void> {
    setLost(false);
    try {
      await client.POST('/account/password-reset/confirm', { body: { token, new_password } });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      return setLost(true);
    }
    showMessage(t.account.passwordSet);
    navigate('/');
  }

  const links = {
    ...{ '/': t.account.signIn },
    ...(offer?.password_reset && { '/forgotten-password': t.account.anotherLink }),
  };
  return (
    <Welcome title={t.account.newPassword} links={links}>
      {isLost && <p role="alert">{t.account.lostAnswer}</p>}
      {token ? (
        <FieldsForm
          fields={{ new_password: newPasswordField(t) }}
          send={setPassword}
          label={t.do.save}
        />
      ) : (
        <Nothing title={t.account.noToken} text={t.account.noTokenText} />
      )}
    </Welcome>
  );
}
