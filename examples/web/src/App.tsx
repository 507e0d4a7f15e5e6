import { Route, Switch } from 'wouter';
import { useSession } from './api';
import { Lazy, lazyOf } from './components/Lazy';

const signInPages = () => import('./account/SignInPages');
const ConfirmReminders = lazyOf(async () => (await signInPages()).ConfirmReminders);
const ForgottenPassword = lazyOf(async () => (await signInPages()).ForgottenPassword);
const Register = lazyOf(async () => (await signInPages()).Register);
const ResetPassword = lazyOf(async () => (await signInPages()).ResetPassword);
const SignIn = lazyOf(async () => (await signInPages()).SignIn);
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
