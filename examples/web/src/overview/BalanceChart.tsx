/** The balance by day: what has been, and what the plan says. */
import { Group, Paper } from '@mantine/core';
import { addDays, daysBetween, shortDays } from 'expense-service-client';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
} from 'recharts';
import { ResponsiveContainer, Tooltip, useChartWidth, XAxis, YAxis } from 'recharts';
import type { Forecast } from '../api';
import { useIsNarrow } from '../components/Page';
import { useLocale } from '../locale';
import { AXIS_WIDTH, CycleBars, Legend, lowestDay } from './ChartLabels';
import { payDaysOf, pastBalances, type BalanceDay, type Plan } from './plan';

/** In place of the library's greys, which style sheets cannot change. */
const TEXT = { fill: 'var(--muted)' };
const LINE = { type: 'stepAfter', dot: false, activeDot: false, isAnimationActive: false } as const;

interface BalanceChartProps {
  plan: Plan;
  /** The forecast with a change that is tried. */
  changed: Forecast | undefined;
  /** The last day that is shown. */
  to: string;
}

export function BalanceChart({ plan, changed, to }: BalanceChartProps) {
  const { t, usd, day } = useLocale();
  const isNarrow = useIsNarrow();
  const forecast = changed ?? plan.forecast;
  const { today, minimum_balance: minimum } = forecast;
  const past = pastBalances(plan);
  const from = past[0]?.date ?? today;
  /** A day begins at its number, and ends at the next one. */
  const x = (date: string): number => daysBetween({ from, to: date });
  const end = x(to) + 1;
  const next = plan.forecast.pay_windows[1]?.from;
  const payDays = payDaysOf({ ...plan, forecast }).filter(({ date }) => date >= from && date <= to);
  const short = shortDays(forecast);
  const { lowest, isShort } = lowestDay(forecast);

  return (
    <div className="chart">
      <Legend forecast={forecast} isTrying={changed !== undefined} to={to} />
      <p className="hidden">{t.overview.chartHelp}</p>
      <ResponsiveContainer width="100%" height={240}>
        <ComposedChart
          data={pointsOf(plan.forecast, { past, changed, to })}
          margin={{ top: 32, right: 8, bottom: 0, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <YAxis
            width={AXIS_WIDTH}
            axisLine={false}
            tickSize={0}
            tickLine={false}
            allowDecimals={false}
            tick={TEXT}
            tickFormatter={(value: number) => usd(`${value}.00`).replace(/[.,]00$/, '')}
          />
          <XAxis
            dataKey="x"
            type="number"
            domain={[0, end]}
            tickLine={false}
            height={36}
            ticks={payDays.map(({ date }) => x(date))}
            interval="preserveStart"
            tick={TEXT}
            tickMargin={14}
            tickFormatter={(value: number) => day(addDays(from, value), 'day')}
          />
          <ReferenceArea
            x1={x(today)}
            x2={Math.min(next ? x(next) : end, end)}
            fill="var(--accent-soft)"
          />
          {short
            .filter((days) => days.from <= to)
            .map((days) => (
              <ReferenceArea
                key={days.from}
                x1={x(days.from)}
                x2={Math.min(x(days.to) + 1, end)}
                fill="var(--danger)"
                fillOpacity={0.14}
              />
            ))}
          {payDays.map(({ date }) => (
            <ReferenceLine
              key={date}
              x={x(date)}
              stroke={date < today ? 'none' : 'var(--accent-mid)'}
              label={<PayDayMark isPast={date < today} />}
            />
          ))}
          <Line dataKey="past" stroke="var(--line-strong)" {...LINE} />
          <Area
            dataKey="balance"
            stroke="var(--accent)"
            strokeWidth={2}
            fill="var(--accent)"
            fillOpacity={0.1}
            {...LINE}
          />
          <Line dataKey="before" stroke="var(--line-strong)" strokeDasharray="4 3" {...LINE} />
          <ReferenceLine y={Number(minimum)} stroke="var(--text)" strokeDasharray="2 3" />
          <ReferenceLine
            x={x(today)}
            stroke="var(--text)"
            label={<Tag text={isNarrow ? t.today : t.overview.todayTag(day(today))} />}
          />
          {lowest.date <= to && (
            <ReferenceDot
              x={x(lowest.date) + 0.5}
              y={Number(lowest.balance)}
              r={5}
              fill="var(--card)"
              stroke={isShort ? 'var(--danger)' : 'var(--accent)'}
              strokeWidth={2.5}
            />
          )}
          <Tooltip
            isAnimationActive={false}
            content={({ active, label: number }) =>
              active && typeof number === 'number' ? (
                <DayDetails forecast={forecast} past={past} date={addDays(from, number)} />
              ) : null
            }
          />
        </ComposedChart>
      </ResponsiveContainer>
      <CycleBars forecast={plan.forecast} from={from} to={to} />
    </div>
  );
}

interface PointSources extends Omit<BalanceChartProps, 'plan'> {
  past: BalanceDay[];
}

/** The points of the lines; their heights are numbers for drawing alone. */
function pointsOf(base: Forecast, { past, changed, to }: PointSources) {
  const before = changed && base.days;
  const points: { [line in 'past' | 'balance' | 'before']?: number }[] = past.map(
    ({ balance }) => ({ past: Number(balance) }),
  );
  ((changed ?? base).days ?? [])
    .filter(({ date }) => date <= to)
    .forEach(({ balance }, i) =>
      points.push({
        balance: Number(balance),
        // The line of the past ends where the one of the plan begins.
        ...(i === 0 && { past: points.at(-1)?.past }),
        ...(before?.[i] && { before: Number(before[i].balance) }),
      }),
    );
  return [...points, { ...points.at(-1) }].map((point, x) => ({ x, ...point }));
}

interface Placed {
  /** Given by the chart. */
  viewBox?: { x: number; y: number; width: number; height: number };
}

function PayDayMark({ viewBox, isPast }: Placed & { isPast: boolean }) {
  if (!viewBox) return null;
  const bottom = viewBox.y + viewBox.height;
  const fill = isPast ? 'var(--line-strong)' : 'var(--accent)';
  return <path d={`M${viewBox.x - 4} ${bottom + 11}h8l-4 -7z`} fill={fill} />;
}

/** A label at the top of its line, within the chart. */
function Tag({ text, viewBox }: Placed & { text: string }) {
  const chartWidth = useChartWidth() ?? 0;
  if (!viewBox) return null;
  const width = text.length * 6.4 + 16;
  const x = Math.min(Math.max(AXIS_WIDTH, viewBox.x - width / 2), chartWidth - width);
  return (
    <g>
      <rect x={x} y={4} width={width} height={22} rx={5} fill="var(--text)" />
      <text x={x + width / 2} y={19} textAnchor="middle" style={{ fill: 'var(--card)' }}>
        {text}
      </text>
    </g>
  );
}

interface DayDetailsProps {
  forecast: Forecast;
  past: BalanceDay[];
  date: string;
}

/** What comes in and goes out on a day. */
function DayDetails({ forecast: { days, entries }, past, date }: DayDetailsProps) {
  const { usd, day } = useLocale();
  const balance = [...past, ...(days ?? [])].find((each) => each.date === date)?.balance;
  if (balance === undefined) return null;
  const lines = (entries ?? [])
    .filter((entry) => entry.date === date)
    .slice(0, 6)
    .map(({ description, entity_type: type, amount_usd: amount }) => {
      const isIncome = type === 'cycle' || type === 'cycle_income';
      return [description, isIncome ? usd(amount, 'always') : usd(`-${amount}`)];
    });
  return (
    <Paper withBorder p="sm" miw={240} role="status">
      {[[day(date, 'long'), usd(balance)], ...lines].map(([name, amount], i) => (
        <Group key={i} justify="space-between" fw={i === 0 ? 600 : undefined}>
          <span>{name}</span> <span>{amount}</span>
        </Group>
      ))}
    </Paper>
  );
}
