import { queries, signIn, signOut, useQuery, useSession } from '../api';
import { useLocale } from '../locale';
import { emailField, passwordField } from './fields';
import { FieldsForm } from './FieldsForm';
import { Welcome } from './Welcome';

/** A page; after the end of a session a form over the other pages, without a frame of its own. */
export function SignIn() {
  const { t } = useLocale();
  const isOver = useSession() === 'ended';
  const { data: offer } = useQuery(queries.query('/account'));
  const former = queries.query('/auth/me').getSnapshot().data;
  const form = (
    <FieldsForm
      fields={{ email: emailField(t, former?.email), password: passwordField(t) }}
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
