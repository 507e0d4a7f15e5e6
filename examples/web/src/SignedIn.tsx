import { Button, Modal } from '@mantine/core';
import { Link, Route, Switch } from 'wouter';
import { SignIn } from './account/SignInPages';
import { Lazy, lazyOf } from './components/Lazy';
import { PageHead } from './components/Page';
import { useLocale } from './locale';
import { Shell } from './Shell';

const Accounts = lazyOf(async () => (await import('./accounts/Accounts')).Accounts);
const ActivityPage = lazyOf(async () => (await import('./activity/ActivityList')).ActivityPage);
const BudgetPage = lazyOf(async () => (await import('./planning/BudgetPage')).BudgetPage);
const Budgets = lazyOf(async () => (await import('./planning/Budgets')).Budgets);
const CardPage = lazyOf(async () => (await import('./cards/CardPage')).CardPage);
const ClosePage = lazyOf(async () => (await import('./entries/ClosePage')).ClosePage);
const CyclePage = lazyOf(async () => (await import('./entries/CyclePage')).CyclePage);
const Cycles = lazyOf(async () => (await import('./entries/Cycles')).Cycles);
const NextCycle = lazyOf(async () => (await import('./planning/NextCycle')).NextCycle);
const Overview = lazyOf(async () => (await import('./overview/Overview')).Overview);
const Recurring = lazyOf(async () => (await import('./planning/Recurring')).Recurring);
const Settings = lazyOf(async () => (await import('./account/Settings')).Settings);

/** After the end of the session the page stays below the sign-in, with what was typed. */
export function SignedIn({ hasEnded }: { hasEnded: boolean }) {
  const { t } = useLocale();
  return (
    <Shell>
      <Lazy>
        <Switch>
          <Route path="/" component={Overview} />
          <Route path="/accounts" component={Accounts} />
          <Route path="/accounts/:id">{({ id }) => <CardPage key={id} id={id} />}</Route>
          <Route path="/cycles" component={Cycles} />
          <Route path="/cycles/next">
            <NextCycle />
          </Route>
          <Route path="/cycles/trip">
            <NextCycle isTrip />
          </Route>
          <Route path="/cycles/:id/close">{({ id }) => <ClosePage key={id} id={id} />}</Route>
          <Route path="/cycles/:id">{({ id }) => <CyclePage key={id} id={id} />}</Route>
          <Route path="/recurring" component={Recurring} />
          <Route path="/budgets" component={Budgets} />
          <Route path="/budgets/:id">{({ id }) => <BudgetPage key={id} id={id} />}</Route>
          <Route path="/activity" component={ActivityPage} />
          <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
          <Route component={UnknownPage} />
        </Switch>
      </Lazy>
      <Modal
        opened={hasEnded}
        onClose={() => undefined}
        title={t.problem.sessionEnded}
        withCloseButton={false}
        zIndex={400}
      >
        <SignIn />
      </Modal>
    </Shell>
  );
}

function UnknownPage() {
  const { t } = useLocale();
  return (
    <PageHead title={t.unknownPage}>
      <Button variant="default" component={Link} href="/">
        {t.nav.overview}
      </Button>
    </PageHead>
  );
}
