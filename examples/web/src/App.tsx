import { Modal } from '@mantine/core';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from './api';
import { ForgottenPassword } from './account/ForgottenPassword';
import { Register } from './account/Register';
import { ResetPassword } from './account/ResetPassword';
import { Settings } from './account/Settings';
import { SignIn } from './account/SignIn';
import { CyclePage } from './entries/CyclePage';
import { Cycles } from './entries/Cycles';
import { useLocale } from './locale';
import { Overview } from './overview/Overview';
import { Budgets } from './planning/Budgets';
import { NextCycle } from './planning/NextCycle';
import { Recurring } from './planning/Recurring';
import { Shell } from './Shell';

export function App() {
  const session = useSession();
  return (
    <Switch>
      <Route path="/reset-password" component={ResetPassword} />
      {session === 'none' ? (
        <Switch>
          <Route path="/register" component={Register} />
          <Route path="/forgotten-password" component={ForgottenPassword} />
          <Route component={SignIn} />
        </Switch>
      ) : (
        <SignedIn />
      )}
    </Switch>
  );
}

/** After the end of the session the page stays below the sign-in, with what was typed. */
function SignedIn() {
  const session = useSession();
  const { t } = useLocale();
  return (
    <Shell>
      <Switch>
        <Route path="/" component={Overview} />
        <Route path="/cycles" component={Cycles} />
        <Route path="/cycles/next" component={NextCycle} />
        <Route path="/cycles/:id">{({ id }) => <CyclePage key={id} id={id} />}</Route>
        <Route path="/recurring" component={Recurring} />
        <Route path="/budgets" component={Budgets} />
        <Route path="/settings" component={Settings} />
        <Route>
          <Redirect to="/" replace />
        </Route>
      </Switch>
      <Modal
        opened={session === 'ended'}
        onClose={() => undefined}
        withCloseButton={false}
        title={t.problem.sessionEnded}
      >
        <SignIn />
      </Modal>
    </Shell>
  );
}
