/** The balance by day: what has been, and what the plan says. */
import { Group, Paper, Text } from '@mantine/core';
import {
  addDays,
  compareAmounts,
  daysBetween,
  shortDays,
  subtractAmounts,
} from 'expense-service-client';
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
import { payDaysOf, pastBalances, type BalanceDay, type Plan } from './plan';

const AXIS_WIDTH = 72;
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
  const [worst] = short.toSorted((a, b) => compareAmounts(a.lowest.balance, b.lowest.balance));
  const named = worst?.lowest ?? forecast.lowest;
  const color = worst ? 'var(--danger)' : 'var(--accent)';
  const isBeyond = named.date > to;
  const missing = usd(subtractAmounts(minimum, named.balance));
  const label = worst
    ? t.overview.shortBy(missing, day(named.date))
    : t.overview.lowestTag(usd(named.balance), day(named.date));
  const tag = worst
    ? { fill: color, color: 'var(--on-danger)' }
    : { fill: 'var(--card)', color: 'var(--text)' };

  return (
    <div className="chart">
      <p className="hidden">{t.overview.chartHelp}</p>
      <ResponsiveContainer width="100%" height={isNarrow ? 240 : 260}>
        <ComposedChart
          data={pointsOf(plan.forecast, { past, changed, to })}
          margin={{ top: worst || isBeyond ? 56 : 32, right: 8, bottom: 0, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <YAxis
            {...{ width: AXIS_WIDTH, axisLine: false, tickLine: false, allowDecimals: false }}
            tick={TEXT}
            tickFormatter={(value: number) => usd(`${value}.00`).replace(/[.,]00$/, '')}
          />
          <XAxis
            {...{ dataKey: 'x', type: 'number', domain: [0, end], tickLine: false, height: 36 }}
            ticks={payDays.map(({ date }) => x(date))}
            interval="preserveStart"
            tick={TEXT}
            tickMargin={14}
            tickFormatter={(value: number) => day(addDays(from, value), 'day')}
          />
          <ReferenceArea
            {...{ x1: x(today), x2: Math.min(next ? x(next) : end, end) }}
            fill="var(--accent-soft)"
          />
          {short
            .filter((days) => days.from <= to)
            .map((days) => (
              <ReferenceArea
                key={days.from}
                {...{ x1: x(days.from), x2: Math.min(x(days.to) + 1, end) }}
                {...{ fill: 'var(--danger)', fillOpacity: 0.14 }}
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
            {...{
              stroke: 'var(--accent)',
              strokeWidth: 2,
              fill: 'var(--accent)',
              fillOpacity: 0.1,
            }}
            {...LINE}
          />
          <Line dataKey="before" stroke="var(--line-strong)" strokeDasharray="4 3" {...LINE} />
          <ReferenceLine
            y={Number(minimum)}
            {...{ stroke: 'var(--text)', strokeDasharray: '2 3' }}
            label={{
              ...TEXT,
              value: t.overview.minimumTag(usd(minimum)),
              position: 'insideBottomLeft',
            }}
          />
          <ReferenceLine
            x={x(today)}
            stroke="var(--text)"
            label={
              <Tag
                text={isNarrow ? t.today : t.overview.todayTag(day(today))}
                {...{ fill: 'var(--text)', color: 'var(--card)', top: worst || isBeyond ? 28 : 4 }}
              />
            }
          />
          {isBeyond ? (
            <ReferenceLine
              {...{ x: end, stroke: 'none' }}
              label={<Tag text={`${label} →`} {...tag} top={4} />}
            />
          ) : (
            <ReferenceDot
              {...{ x: x(named.date) + 0.5, y: Number(named.balance), r: 5 }}
              {...{ fill: 'var(--card)', stroke: color, strokeWidth: 2.5 }}
              label={<Tag text={label} {...tag} {...(worst && { top: 4 })} />}
            />
          )}
          <Tooltip
            isAnimationActive={false}
            content={({ active, label: number }) =>
              active && typeof number === 'number' ? (
                <DayDetails {...{ forecast, past, date: addDays(from, number) }} />
              ) : null
            }
          />
        </ComposedChart>
      </ResponsiveContainer>
      <CycleBars {...{ forecast: plan.forecast, from, to }} />
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

interface TagProps extends Placed {
  text: string;
  fill: string;
  color: string;
  /** Left out: beside the point. */
  top?: number;
}

/** A label within the chart: at its top, or beside the point that it names. */
function Tag({ text, fill, color, top, viewBox }: TagProps) {
  const chartWidth = useChartWidth() ?? 0;
  if (!viewBox) return null;
  const width = text.length * 6.4 + 16;
  const beside = viewBox.x + 20 + width > chartWidth ? viewBox.x - 12 - width : viewBox.x + 20;
  const left = top === undefined ? beside : viewBox.x - width / 2;
  const x = Math.min(Math.max(AXIS_WIDTH, left), chartWidth - width);
  const y = top ?? viewBox.y - 6;
  return (
    <g>
      <rect {...{ x, y, width, height: 22, rx: 5, fill }} stroke="var(--line)" />
      <text x={x + width / 2} y={y + 15} textAnchor="middle" style={{ fill: color }}>
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

/** The cycles below the days that they have. */
function CycleBars({ forecast, from, to }: { forecast: Forecast; from: string; to: string }) {
  const { t, days } = useLocale();
  const { today, cycles } = forecast;
  const next = cycles.find((cycle) => cycle.start_date > today);
  return (
    <div style={{ display: 'flex', gap: 4, margin: `0 8px 0 ${AXIS_WIDTH}px` }}>
      {cycles
        .filter((cycle) => cycle.start_date <= to && cycle.end_date >= from)
        .map((cycle) => {
          const isPresent = cycle.start_date <= today;
          const range = {
            from: cycle.start_date < from ? from : cycle.start_date,
            to: cycle.end_date > to ? to : cycle.end_date,
          };
          return (
            <Text
              key={cycle.start_date}
              {...{ truncate: true, fz: 12, px: 8, c: 'dimmed', bg: 'var(--sunken)', bdrs: 6 }}
              flex={daysBetween(range) + 1}
            >
              <b>{isPresent ? t.overview.ranges.cycle : cycle === next && t.overview.nextCycle}</b>{' '}
              {days(cycle)}
              {cycle.source === 'proposed' && `, ${t.overview.proposed}`}
            </Text>
          );
        })}
    </div>
  );
}
