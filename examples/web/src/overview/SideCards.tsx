/** Incomes that are expected, budgets, and the plan of the cycle against reality. */
import { Anchor, Button, UnstyledButton } from '@mantine/core';
import { compareAmounts, daysBetween, isNegative } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery } from '../api';
import { Amount, Card, Loaded, Nothing } from '../components/Page';
import { usePay } from '../entries/pay';
import { planAgainstReality } from '../entries/totals';
import { useLocale } from '../locale';
import { BudgetBar, BudgetLeft, BudgetLegend } from '../planning/BudgetBar';
import { expectedIncomes, type ExpectedIncome, type StoredCycle } from './plan';
import type { Plan } from './usePlan';
import css from './overview.module.css';

const INCOMES_SHOWN = 5;

interface IncomesCardProps {
  plan: Plan;
  onEdit: (expected: ExpectedIncome) => void;
  onAdd: () => void;
}

export function IncomesCard({ plan, onEdit, onAdd }: IncomesCardProps) {
  const { t, usd, day } = useLocale();
  const { receive, isSaving } = usePay();
  const { today } = plan.forecast;
  const expected = expectedIncomes(plan.cycles).slice(0, INCOMES_SHOWN);
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
      {expected.map(({ income, cycle }) => {
        const days = daysBetween({ from: today, to: income.income_date });
        return (
          <div key={income.id} className={`${css.row} ${css.income}`} aria-busy={isSaving(income)}>
            <span className="muted">{day(income.income_date)}</span>
            <div>
              <UnstyledButton
                className={css.name}
                aria-label={t.overview.editName(income.description)}
                onClick={() => onEdit({ income, cycle })}
              >
                {income.description}
              </UnstyledButton>
              <span className={`detail ${days < 0 ? 'danger' : 'muted'}`}>
                {days < 0 ? t.in.late(-days) : t.in.days(days)}
              </span>
            </div>
            <div className="num">
              {usd(income.amount_usd)}
              {income.currency === 'MXN' && (
                <div className="detail muted">
                  <Amount {...income} />
                </div>
              )}
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={t.overview.receiveName(income.description)}
              disabled={isSaving(income)}
              onClick={() => void receive(income, cycle.id)}
            >
              {t.overview.receive}
            </Button>
          </div>
        );
      })}
    </Card>
  );
}

export function BudgetsCard({ cycleId }: { cycleId: string }) {
  const { t } = useLocale();
  const params = { path: { cycle_id: cycleId } };
  const summary = useQuery(queries.query('/cycles/{cycle_id}/summary', { params }));
  return (
    <Loaded state={summary} height={360}>
      {({ by_budget: all }) => (
        <Card title={t.overview.budgets} end={<BudgetLegend />}>
          {all.every(({ limit }) => limit === null) && (
            <>
              <p className="muted">{t.overview.noBudgets}</p>
              <Anchor component={Link} href="/budgets">
                {t.overview.addBudget}
              </Anchor>
            </>
          )}
          {all.map(
            ({ budget, limit, left, paid_amount: paid, pending_amount: pending }) =>
              limit !== null &&
              left !== null && (
                <div key={budget?.id}>
                  <div className={css.pair}>
                    <b>{budget?.name}</b>
                    <BudgetLeft limit={limit} left={left} />
                  </div>
                  <BudgetBar {...{ limit, paid, pending, left }} />
                </div>
              ),
          )}
        </Card>
      )}
    </Loaded>
  );
}

export function RealityCard({ current: { cycle, expenses } }: { current: StoredCycle }) {
  const { t, usd, day, days } = useLocale();
  const reality = planAgainstReality(expenses);
  const { planned, plannedCount, actual, difference, unplanned, unplannedCount } = reality;
  const pair = (label: string, detail: string | number, amount: string, className = '') => (
    <div className={css.pair}>
      <dt>
        {label} <span className="muted">{detail}</span>
      </dt>
      <dd className={className}>
        <b>{amount}</b>
      </dd>
    </div>
  );
  const { remaining_balance: remains } = cycle;
  return (
    <Card
      title={
        <>
          {t.overview.reality} <span className="muted detail">{days(cycle)}</span>
        </>
      }
    >
      <dl>
        {pair(t.overview.planned, t.overview.plannedCount(plannedCount), usd(planned))}
        {pair(t.overview.actuallyPaid, '', usd(actual))}
        {pair(
          t.overview.difference,
          '',
          usd(difference, 'always'),
          compareAmounts(difference, '0.00') > 0 ? 'danger' : 'accent',
        )}
        {pair(t.overview.notPlanned, unplannedCount, usd(unplanned))}
        {pair(
          t.overview.remainsOn(day(cycle.end_date, 'day')),
          '',
          usd(remains),
          isNegative(remains) ? 'danger' : '',
        )}
      </dl>
    </Card>
  );
}
