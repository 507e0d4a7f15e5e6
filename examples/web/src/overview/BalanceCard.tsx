/** The chart of the balance, or its pay windows as a table. */
import { useState } from 'react';
import { Badge, Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowsSplit2, IconCheck } from '@tabler/icons-react';
import { compareAmounts, daysBetween, shortDays } from 'expense-service-client';
import type { Forecast } from '../api';
import { DataTable, type Column } from '../components/DataTable';
import { lazyOf, Lazy } from '../components/Lazy';
import { Card, Choice, useIsNarrow } from '../components/Page';
import { useLocale } from '../locale';
import type { Plan } from './plan';

/** Most of its size is the library of charts. */
const BalanceChart = lazyOf(async () => (await import('./BalanceChart')).BalanceChart);

interface BalanceCardProps {
  plan: Plan;
  /** The forecast with a change that is tried. */
  changed: Forecast | undefined;
  onWhatIf: () => void;
}

export function BalanceCard({ plan, changed, onWhatIf }: BalanceCardProps) {
  const { t } = useLocale();
  const texts = t.overview;
  const isNarrow = useIsNarrow();
  const [range, setRange] = useState<keyof typeof texts.ranges>(
    isNarrow && !plan.isEnding ? 'cycle' : 'two',
  );
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { today, cycles, ...forecast } = plan.forecast;
  const ends = cycles.map(({ end_date: end }) => end).filter((end) => end >= today);
  const end = { cycle: ends[0], two: ends[1], six: undefined }[range] ?? forecast.to;
  const to = end < forecast.to ? end : forecast.to;
  const views = { chart: texts.chart, table: texts.table };
  return (
    <Card
      flush
      title={texts.balanceTitle}
      end={
        <>
          <ShortDaysTag forecast={changed ?? plan.forecast} />
          <Choice
            label={texts.rangeLabel}
            options={texts.ranges}
            value={range}
            onChange={setRange}
          />
          <Choice label={texts.viewLabel} options={views} value={view} onChange={setView} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsSplit2 size={16} />}
            onClick={onWhatIf}
          >
            {texts.whatIf}
          </Button>
        </>
      }
    >
      {view === 'chart' ? (
        <Lazy height={300}>
          <BalanceChart plan={plan} changed={changed} to={to} />
        </Lazy>
      ) : (
        <PayWindows forecast={changed ?? plan.forecast} to={to} />
      )}
    </Card>
  );
}

/** All days of the plan, as for what is free, whichever are shown. */
function ShortDaysTag({ forecast }: { forecast: Forecast }) {
  const { t } = useLocale();
  const count = shortDays(forecast).reduce((sum, days) => sum + daysBetween(days) + 1, 0);
  const Icon = count ? IconAlertTriangle : IconCheck;
  return (
    <Badge color={count ? 'red' : 'accent'} leftSection={<Icon size={14} />}>
      {count ? t.overview.shortDays(count) : t.overview.noShortDay}
    </Badge>
  );
}

function PayWindows({ forecast, to }: { forecast: Forecast; to: string }) {
  const { t, usd, day } = useLocale();
  const { pay_windows, minimum_balance: minimum } = forecast;
  const texts = t.overview;
  const columns: Column<Forecast['pay_windows'][number]>[] = [
    { title: texts.from, cell: ({ from }) => day(from) },
    { title: texts.to, cell: (window) => day(window.to) },
    { title: texts.comesIn, isEnd: true, from: 'sm', cell: ({ incomes }) => usd(incomes) },
    { title: texts.toPay, isEnd: true, from: 'sm', cell: ({ expenses }) => usd(expenses) },
    {
      title: texts.endsWith,
      isEnd: true,
      cell: ({ closing_balance: balance }) => (
        <span className={compareAmounts(balance, minimum) < 0 ? 'danger' : undefined}>
          {usd(balance)}
        </span>
      ),
    },
    { title: texts.freeShort, isEnd: true, cell: ({ free }) => usd(free) },
  ];
  const items = pay_windows.filter(({ from }) => from <= to);
  return <DataTable label={texts.windows} columns={columns} groups={[{ items }]} />;
}
