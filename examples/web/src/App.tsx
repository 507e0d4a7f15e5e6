import { Route, Switch } from 'wouter';
import {
  ConfirmReminders,
  ForgottenPassword,
  Register,
  ResetPassword,
  SignIn,
} from './account/SignInPages';
import { useSession } from './api';
import { Lazy, lazyOf } from './components/Lazy';

const SignedIn = lazyOf(async () => (await import('./SignedIn')).SignedIn);

export function App() {
  const session = useSession();
  return (
    <Lazy height={900}>
      <Switch>
        <Route path="/reset-password" component={ResetPassword} />
        <Route path="/reminders/confirm" component={ConfirmReminders} />
        {session === 'none' && <Route path="/register" component={Register} />}
        {session === 'none' && <Route path="/forgotten-password" component={ForgottenPassword} />}
        <Route>
          {session === 'none' ? <SignIn /> : <SignedIn hasEnded={session === 'ended'} />}
        </Route>
      </Switch>
    </Lazy>
  );
}
