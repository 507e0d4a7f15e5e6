/** Budgets, incomes that are expected, and the plan of the cycle against reality. */
import { useState } from 'react';
import { Anchor, Button } from '@mantine/core';
import { compareAmounts, isNegative, planAgainstReality } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery, type Forecast } from '../api';
import { Card, Loaded, Nothing, Pairs } from '../components/Page';
import { Total } from '../components/Total';
import { isOpen, spentBy, useSettling, type Entry } from '../entries/entry';
import { EntryRow } from '../entries/EntryRow';
import { moveByKey } from '../entries/keys';
import { useLocale } from '../locale';
import { BudgetBar, BudgetLeft, BudgetLegend, isLimited } from '../planning/BudgetUse';
import { balanceOn, type Plan, type StoredCycle } from './plan';
import { PlannedRow, plannedIn } from './PlannedRow';

const INCOMES_SHOWN = 5;

interface IncomesCardProps {
  plan: Plan;
  onEdit: (income: Entry) => void;
  onAdd: () => void;
}

export function IncomesCard({ plan, onEdit, onAdd }: IncomesCardProps) {
  const { t } = useLocale();
  const settling = useSettling();
  const [isComplete, setComplete] = useState(false);
  const stored = plan.cycles
    .flatMap(({ incomes }) => incomes)
    .filter((each) => isOpen(each) && !settling.isDone(each))
    .sort((a, b) => a.income_date.localeCompare(b.income_date));
  const expected = [...stored, ...(plan.isEnding ? plannedIn(plan, 'cycle_income') : [])];
  const shown = isComplete ? expected : expected.slice(0, INCOMES_SHOWN);
  return (
    <Card flush title={t.overview.incomes}>
      {expected.length === 0 && (
        <Nothing
          title={t.overview.noIncomes}
          action={
            <Button variant="default" onClick={onAdd}>
              {t.overview.addIncome}
            </Button>
          }
        />
      )}
      <div
        id="incomes"
        style={{ scrollMarginTop: 64 }}
        role="group"
        aria-label={t.overview.incomes}
        className="group"
        onKeyDown={moveByKey}
      >
        {shown.map((entry, i) =>
          'cycleId' in entry ? (
            <EntryRow key={entry.id} entry={entry} settling={settling} onOpen={onEdit} />
          ) : (
            <PlannedRow key={i} entry={entry} />
          ),
        )}
      </div>
      {shown.length < expected.length && (
        <Button variant="subtle" m="sm" onClick={() => setComplete(true)}>
          {t.overview.moreIncomes(expected.length - shown.length)}
        </Button>
      )}
    </Card>
  );
}

export function BudgetsCard({ cycleId }: { cycleId: string }) {
  const { t } = useLocale();
  const params = { path: { cycle_id: cycleId } };
  const summary = useQuery(queries.query('/cycles/{cycle_id}/summary', { params }));
  return (
    <Loaded state={summary} height={360}>
      {({ by_budget }) => {
        const limited = by_budget.filter(isLimited);
        return (
          <Card title={t.overview.budgets} end={<BudgetLegend />}>
            {limited.length === 0 && (
              <Anchor component={Link} href="/budgets">
                {t.overview.addBudget}
              </Anchor>
            )}
            {limited.map((use) => (
              <div key={use.budget?.id}>
                <Pairs pairs={[[<b>{use.budget?.name}</b>, <BudgetLeft {...use} />]]} />
                <BudgetBar {...use} />
              </div>
            ))}
          </Card>
        );
      }}
    </Loaded>
  );
}

interface RealityCardProps {
  forecast: Forecast;
  current: StoredCycle;
}

export function RealityCard({ forecast, current: { cycle, expenses } }: RealityCardProps) {
  const { t, usd, day, days } = useLocale();
  const texts = t.overview;
  const plan = planAgainstReality(expenses.map((each) => spentBy(forecast.today, each)));
  const remains = balanceOn(forecast, cycle.end_date) ?? cycle.remaining_balance;
  const remainsOn = texts.remainsOn(day(cycle.end_date, 'day'));
  const isOver = compareAmounts(plan.difference, '0.00') > 0;
  return (
    <Card title={texts.reality} end={<span className="muted detail">{days(cycle)}</span>}>
      <Pairs
        pairs={[
          [
            texts.planned(plan.plannedCount),
            usd(plan.planned),
            texts.plannedCount(plan.plannedCount),
          ],
          [texts.actuallyPaid, usd(plan.actual)],
          [texts.difference, usd(plan.difference, 'always'), '', isOver ? 'danger' : 'accent'],
          [texts.notPlanned, usd(plan.unplanned), plan.unplannedCount],
          [remainsOn, <Total usd={remains} />, '', isNegative(remains) ? 'danger' : undefined],
        ]}
      />
    </Card>
  );
}
