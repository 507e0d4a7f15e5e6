/** What can be spent until the next pay day, how the balance goes on, and what is due. */
import { useState } from 'react';
import { Anchor } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { FirstSteps } from '../account/FirstSteps';
import { queries, useQuery, type Expense, type Income } from '../api';
import { FormDrawer } from '../components/forms';
import { Loaded } from '../components/Page';
import { EntryForm } from '../entries/EntryForm';
import { useLocale } from '../locale';
import { BalanceCard } from './BalanceCard';
import { DueCard } from './DueCard';
import { Hero } from './Hero';
import { freedomOf } from './plan';
import { BudgetsCard, IncomesCard, RealityCard } from './SideCards';
import { usePlan, type Plan } from './usePlan';
import { WhatIf } from './WhatIf';
import css from './overview.module.css';

/** An entry in the drawer; without `entry` a new one. */
interface Edited {
  kind: 'expense' | 'income';
  entry?: Expense | Income;
  cycleId?: string;
}

export function Overview() {
  const plan = usePlan();
  const page = { params: { query: { per_page: 1 } } };
  const anyCycle = useQuery(queries.query('/cycles', page));
  if (anyCycle.data?.cycles.length === 0) return <FirstSteps />;
  return (
    <Loaded state={plan} height={720}>
      {(data) => <PlanPage plan={data} />}
    </Loaded>
  );
}

function PlanPage({ plan }: { plan: Plan }) {
  const { t, day, days } = useLocale();
  const [edited, setEdited] = useState<Edited>();
  const [isTrying, setTrying] = useState(false);
  const [tried, setTried] = useState<Schemas['WhatIfResponse']>();
  const { forecast, current } = plan;
  const close = (): void => setEdited(undefined);

  return (
    <div className={`stack ${isTrying ? css.beside : ''}`}>
      <div className="page-head muted">
        {day(forecast.today, 'full')}
        <span className="end">
          {current ? (
            t.overview.thisCycle(days(current.cycle))
          ) : (
            <>
              {t.overview.noCycle}{' '}
              <Anchor component={Link} href="/cycles/next">
                {t.overview.planOne}
              </Anchor>
            </>
          )}
        </span>
      </div>
      <Hero
        freedom={freedomOf(forecast)}
        changed={tried && freedomOf(tried.changed)}
        end={forecast.to}
      />
      <BalanceCard plan={plan} changed={tried?.changed} onWhatIf={() => setTrying(true)} />
      <div className="columns">
        <div>
          <DueCard
            plan={plan}
            onEdit={({ expense, cycle }) =>
              setEdited({ kind: 'expense', entry: expense, cycleId: cycle.id })
            }
            onAdd={() => setEdited({ kind: 'expense' })}
          />
        </div>
        <div>
          {current && <BudgetsCard cycleId={current.cycle.id} />}
          <IncomesCard
            plan={plan}
            onEdit={({ income, cycle }) =>
              setEdited({ kind: 'income', entry: income, cycleId: cycle.id })
            }
            onAdd={() => setEdited({ kind: 'income' })}
          />
          {current && <RealityCard current={current} />}
        </div>
      </div>
      <FormDrawer
        opened={edited !== undefined}
        onClose={close}
        title={edited?.entry?.description ?? (edited && t.add[edited.kind])}
      >
        {edited && <EntryForm {...edited} onDone={close} />}
      </FormDrawer>
      <WhatIf
        opened={isTrying}
        forecast={forecast}
        tried={tried}
        onTried={setTried}
        onClose={() => {
          setTrying(false);
          setTried(undefined);
        }}
      />
    </div>
  );
}
