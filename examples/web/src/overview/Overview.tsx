/** What can be spent until the next pay day, how the balance goes on, and what is due. */
import { useState } from 'react';
import { Anchor, Group, Stack } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { FirstSteps } from '../account/FirstSteps';
import { useCycles, useMe } from '../api';
import { Loaded, usePageTitle } from '../components/Page';
import type { Entry, Kind } from '../entries/entry';
import { EntryDrawer } from '../entries/EntryForm';
import { useLocale } from '../locale';
import { BalanceCard } from './BalanceCard';
import { ClosingCard } from './ClosingCard';
import { DueCard } from './DueCard';
import { FreeCard } from './FreeCard';
import type { Plan } from './plan';
import { BudgetsCard, IncomesCard, RealityCard } from './SideCards';
import { usePlan } from './usePlan';
import { WhatIf } from './WhatIf';

export function Overview() {
  const { t } = useLocale();
  usePageTitle(t.nav.overview);
  const me = useMe();
  if (useCycles().data?.length === 0) return <FirstSteps />;
  return (
    <Loaded state={me} height={900}>
      {(user) => <OverviewOf user={user} />}
    </Loaded>
  );
}

function OverviewOf({ user }: { user: Schemas['UserResponse'] }) {
  return (
    <Loaded state={usePlan(user)} height={900}>
      {(plan) => <PlanPage plan={plan} />}
    </Loaded>
  );
}

function PlanPage({ plan }: { plan: Plan }) {
  const { t, day, days } = useLocale();
  const [edited, setEdited] = useState<Entry | Kind>();
  const [isTrying, setTrying] = useState(false);
  const [tried, setTried] = useState<Schemas['WhatIfResponse']>();
  const { forecast, current, cycles } = plan;
  const entries = cycles.flatMap(({ expenses, incomes }) => [...expenses, ...incomes]);

  return (
    <Stack className={isTrying ? 'page beside' : 'page'} gap="md">
      <Group justify="space-between" c="dimmed">
        <span>{day(forecast.today, 'full')}</span>
        {current ? (
          <span>{t.overview.thisCycle(days(current.cycle))}</span>
        ) : (
          <Anchor component={Link} href="/cycles/next">
            {t.overview.planOne}
          </Anchor>
        )}
      </Group>
      <FreeCard plan={plan} changed={tried?.changed} />
      {!isTrying && <ClosingCard plan={plan} />}
      <BalanceCard plan={plan} changed={tried?.changed} onWhatIf={() => setTrying(true)} />
      <div className="columns">
        <DueCard plan={plan} onEdit={setEdited} onAdd={() => setEdited('expense')} />
        <Stack gap="md">
          {current && <BudgetsCard cycleId={current.cycle.id} />}
          <IncomesCard plan={plan} onEdit={setEdited} onAdd={() => setEdited('income')} />
          {current && <RealityCard forecast={forecast} current={current} />}
        </Stack>
      </div>
      <EntryDrawer opened={edited} entries={entries} onClose={() => setEdited(undefined)} />
      <WhatIf
        opened={isTrying}
        forecast={forecast}
        currency={plan.user.preferred_currency}
        onTried={setTried}
        onClose={() => setTrying(false)}
      />
    </Stack>
  );
}
