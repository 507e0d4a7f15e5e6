/** The chart of the balance, or its pay windows as a table. */
import { useState } from 'react';
import { Button, SegmentedControl, Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconArrowsSplit2, IconCheck } from '@tabler/icons-react';
import { daysBetween, compareAmounts } from 'expense-service-client';
import type { Forecast } from '../api';
import { Card } from '../components/Page';
import { useLocale } from '../locale';
import { BalanceChart } from './BalanceChart';
import { pastBalances, shortDaysOf } from './plan';
import type { Plan } from './usePlan';

type Range = 'cycle' | 'two' | 'six';

interface BalanceCardProps {
  plan: Plan;
  /** The forecast with a change that is tried. */
  changed: Forecast | undefined;
  onWhatIf: () => void;
}

export function BalanceCard({ plan, changed, onWhatIf }: BalanceCardProps) {
  const { t } = useLocale();
  const isNarrow = useMediaQuery('(max-width: 700px)', undefined, {
    getInitialValueInEffect: false,
  });
  const [chosen, setRange] = useState<Range>();
  const [view, setView] = useState('chart');
  const range = chosen ?? (isNarrow ? 'cycle' : 'two');
  const { forecast, timeZone, cycles, current } = plan;
  const { today } = forecast;
  const ends = forecast.cycles.map(({ end_date: end }) => end).filter((end) => end >= today);
  const end = { cycle: ends[0], two: ends[1], six: undefined }[range] ?? forecast.to;
  const to = end < forecast.to ? end : forecast.to;
  const from = current?.cycle.start_date ?? today;
  const past = pastBalances(forecast, { from, timeZone, cycles });

  return (
    <Card
      flush
      title={t.overview.balanceTitle}
      end={
        <>
          {changed ? <Legend /> : <ShortDaysBadge forecast={forecast} to={to} />}
          <SegmentedControl
            size="xs"
            aria-label={t.overview.rangeLabel}
            value={range}
            onChange={(value) => setRange(value as Range)}
            data={(['cycle', 'two', 'six'] as const).map((value) => ({
              value,
              label: t.overview.ranges[value],
            }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t.overview.viewLabel}
            value={view}
            onChange={setView}
            data={[
              { value: 'chart', label: t.overview.chart },
              { value: 'table', label: t.overview.table },
            ]}
          />
          {!changed && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowsSplit2 size={16} aria-hidden />}
              onClick={onWhatIf}
            >
              {t.overview.whatIf}
            </Button>
          )}
        </>
      }
    >
      {view === 'chart' ? (
        <BalanceChart
          forecast={changed ?? forecast}
          before={changed && forecast}
          past={past}
          to={to}
        />
      ) : (
        <PayWindows forecast={forecast} changed={changed} to={to} />
      )}
    </Card>
  );
}

function ShortDaysBadge({ forecast, to }: { forecast: Forecast; to: string }) {
  const { t } = useLocale();
  const count = shortDaysOf(forecast)
    .filter(({ from }) => from <= to)
    .reduce((sum, days) => sum + daysBetween(days) + 1, 0);
  return count === 0 ? (
    <span className="badge good">
      <IconCheck size={14} aria-hidden /> {t.overview.noShortDay}
    </span>
  ) : (
    <span className="badge bad">
      <IconAlertTriangle size={14} aria-hidden /> {t.overview.shortDays(count)}
    </span>
  );
}

function Legend() {
  const { t } = useLocale();
  const line = (color: string, dash?: string) => (
    <svg width="20" height="8" aria-hidden>
      <path d="M0 4h20" stroke={color} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
  return (
    <span className="detail muted">
      {line('var(--line-strong)', '4 3')} {t.overview.now} {line('var(--accent)')}{' '}
      {t.overview.withIt}
    </span>
  );
}

interface PayWindowsProps {
  forecast: Forecast;
  changed: Forecast | undefined;
  to: string;
}

export function PayWindows({ forecast, changed, to }: PayWindowsProps) {
  const { t, usd, day } = useLocale();
  const shown = changed ?? forecast;
  const { minimum_balance: minimum } = forecast;
  return (
    <Table.ScrollContainer minWidth={480} px="lg" pb="md">
      <Table aria-label={t.overview.windows}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.overview.from}</Table.Th>
            <Table.Th>{t.overview.to}</Table.Th>
            <Table.Th ta="right">{t.overview.comesIn}</Table.Th>
            <Table.Th ta="right">{t.overview.toPay}</Table.Th>
            <Table.Th ta="right">{t.overview.endsWith}</Table.Th>
            <Table.Th ta="right">{t.overview.freeShort}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.pay_windows
            .filter(({ from }) => from <= to)
            .map((window) => {
              const isShort = compareAmounts(window.closing_balance, minimum) < 0;
              return (
                <Table.Tr key={window.from}>
                  <Table.Td>{day(window.from)}</Table.Td>
                  <Table.Td>{day(window.to)}</Table.Td>
                  <Table.Td className="num">{usd(window.incomes)}</Table.Td>
                  <Table.Td className="num">{usd(window.expenses)}</Table.Td>
                  <Table.Td className={`num ${isShort ? 'danger' : ''}`}>
                    {usd(window.closing_balance)}
                  </Table.Td>
                  <Table.Td className="num">{usd(window.free)}</Table.Td>
                </Table.Tr>
              );
            })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
