import { useState } from 'react';
import { client } from '../api';
import { useLocale } from '../locale';
import { emailField } from './fields';
import { FieldsForm } from './FieldsForm';
import { Welcome } from './Welcome';

export function ForgottenPassword() {
  const { t } = useLocale();
  const [sentTo, setSentTo] = useState<string>();

  async function requestLink(body: { email: string }): Promise<void> {
    await client.POST('/account/password-reset', { body });
    setSentTo(body.email);
  }

  return (
    <Welcome title={t.account.forgotten} links={{ '/': t.account.backToSignIn }}>
      <p role="status">{sentTo ? t.account.linkSent(sentTo) : t.account.forgottenText}</p>
      <FieldsForm
        fields={{ email: emailField(t) }}
        send={requestLink}
        label={sentTo ? t.account.sendAgain : t.account.sendLink}
      />
    </Welcome>
  );
}
