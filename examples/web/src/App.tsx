import { Modal } from '@mantine/core';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from './api';
import { Settings } from './account/Settings';
import { ConfirmReminders, ForgottenPassword, Register } from './account/SignInPages';
import { ResetPassword, SignIn } from './account/SignInPages';
import { Accounts } from './accounts/Accounts';
import { CardPage } from './cards/CardPage';
import { ClosePage } from './entries/ClosePage';
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
      <Route path="/reminders/confirm" component={ConfirmReminders} />
      {session === 'none' && <Route path="/register" component={Register} />}
      {session === 'none' && <Route path="/forgotten-password" component={ForgottenPassword} />}
      <Route>{session === 'none' ? <SignIn /> : <SignedIn hasEnded={session === 'ended'} />}</Route>
    </Switch>
  );
}

/** After the end of the session the page stays below the sign-in, with what was typed. */
function SignedIn({ hasEnded }: { hasEnded: boolean }) {
  const { t } = useLocale();
  const modal = { withCloseButton: false, title: t.problem.sessionEnded, zIndex: 400 };
  return (
    <Shell>
      <Switch>
        <Route path="/" component={Overview} />
        <Route path="/accounts" component={Accounts} />
        <Route path="/accounts/:id">{({ id }) => <CardPage key={id} id={id} />}</Route>
        <Route path="/cycles" component={Cycles} />
        <Route path="/cycles/next">{<NextCycle />}</Route>
        <Route path="/cycles/trip">{<NextCycle isTrip />}</Route>
        <Route path="/cycles/:id/close">{({ id }) => <ClosePage key={id} id={id} />}</Route>
        <Route path="/cycles/:id">{({ id }) => <CyclePage key={id} id={id} />}</Route>
        <Route path="/recurring" component={Recurring} />
        <Route path="/budgets" component={Budgets} />
        <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
        <Route>
          <Redirect to="/" replace />
        </Route>
      </Switch>
      <Modal opened={hasEnded} onClose={() => undefined} {...modal}>
        <SignIn />
      </Modal>
    </Shell>
  );
}
