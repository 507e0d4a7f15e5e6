/** The balance by day: what has been, and what the plan says. */
import { useMemo } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { addDays, compareAmounts, daysBetween, subtractAmounts } from 'expense-service-client';
import {
  Area,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  useChartWidth,
  XAxis,
  YAxis,
} from 'recharts';
import type { Forecast } from '../api';
import { useLocale, type Locale } from '../locale';
import { payDaysOf, shortDaysOf, type BalanceDay, type ShortDays } from './plan';
import css from './overview.module.css';

const AXIS_WIDTH = 64;

interface BalanceChartProps {
  forecast: Forecast;
  past: BalanceDay[];
  /** Without the change that is tried. */
  before: Forecast | undefined;
  /** The last day that is shown. */
  to: string;
}

const LINE = { dot: false, activeDot: false, fill: 'none', isAnimationActive: false } as const;
const DOT = { r: 5, fill: 'var(--card)', strokeWidth: 2.5 } as const;

/** A day begins at its number and ends at the next one; heights are numbers for drawing alone. */
interface Point {
  x: number;
  past?: number;
  balance?: number;
  before?: number;
}

export function BalanceChart({ forecast, past, before, to }: BalanceChartProps) {
  const { t, usd, day } = useLocale();
  const isNarrow = useMediaQuery('(max-width: 700px)') ?? false;
  const { today, lowest, minimum_balance: minimum } = forecast;
  const from = past[0]?.date ?? today;
  const x = (date: string): number => daysBetween({ from, to: date });
  const end = x(to) + 1;
  const points = useMemo(
    () => pointsOf({ forecast, past, before, from, to }),
    [forecast, past, before, from, to],
  );
  const payDays = payDaysOf(forecast).filter(({ date }) => date <= to);
  const short = shortDaysOf(forecast).filter((days) => days.from <= to);
  const next = forecast.pay_windows[1]?.from;
  const windowEnd = Math.min(next ? x(next) : end, end);
  const width = isNarrow ? 6 : 3.4;

  return (
    <div className={css.chart}>
      <p className={css.hidden}>{t.overview.chartHelp}</p>
      <ResponsiveContainer width="100%" height={isNarrow ? 240 : 260}>
        <ComposedChart data={points} margin={{ top: 32, right: 8, bottom: 0, left: 0 }}>
          <YAxis
            width={AXIS_WIDTH}
            axisLine={false}
            tickLine={false}
            tickCount={5}
            allowDecimals={false}
            tickFormatter={(value: number) => usd(`${value}.00`).replace(/[.,]00$/, '')}
          />
          <XAxis
            dataKey="x"
            type="number"
            domain={[0, end]}
            height={40}
            tickLine={false}
            interval={0}
            ticks={payDays.map(({ date }) => x(date))}
            tick={(props) => (
              <PayDayTick
                x={Number(props.x)}
                y={Number(props.y)}
                label={tickLabel(props.index, payDays, { width, x, day })}
                isNext={payDays[props.index]?.date === next}
              />
            )}
          />
          <ReferenceArea x1={x(today)} x2={windowEnd} fill="var(--accent-soft)" />
          {short.map(({ from: first, to: last }) => (
            <ReferenceArea
              key={first}
              x1={x(first)}
              x2={Math.min(x(last) + 1, end)}
              fill="var(--danger)"
              fillOpacity={0.14}
            />
          ))}
          {payDays.map(({ date }) => (
            <ReferenceLine key={date} x={x(date)} stroke="var(--accent)" strokeOpacity={0.28} />
          ))}
          <Line type="stepAfter" dataKey="past" stroke="var(--line-strong)" {...LINE} />
          <Area
            type="stepAfter"
            dataKey="balance"
            {...LINE}
            stroke="var(--accent)"
            fill="var(--accent)"
            fillOpacity={0.1}
            strokeWidth={2}
          />
          <Line
            type="stepAfter"
            dataKey="before"
            stroke="var(--line-strong)"
            strokeDasharray="4 3"
            {...LINE}
          />
          <ReferenceLine
            y={Number(minimum)}
            stroke="var(--text)"
            strokeDasharray="2 3"
            label={{
              value: t.overview.minimumTag(usd(minimum)),
              position: 'insideBottomLeft',
              className: css.minimumTag,
            }}
          />
          <ReferenceLine
            x={x(today)}
            stroke="var(--text)"
            label={<Tag text={isNarrow ? t.today : t.overview.todayTag(day(today))} />}
          />
          {short.length === 0 && lowest.date <= to && (
            <ReferenceDot
              {...DOT}
              x={x(lowest.date) + 0.5}
              y={Number(lowest.balance)}
              stroke="var(--accent)"
              label={
                <Tag
                  kind="plain"
                  text={t.overview.lowestTag(usd(lowest.balance), day(lowest.date))}
                />
              }
            />
          )}
          {namedDays(short, end * (isNarrow ? 1 : 0.4)).map(({ date, balance }) => (
            <ReferenceDot
              key={date}
              {...DOT}
              x={x(date) + 0.5}
              y={Number(balance)}
              stroke="var(--danger)"
              label={
                <Tag
                  kind="danger"
                  text={t.overview.shortBy(usd(subtractAmounts(minimum, balance)), day(date))}
                />
              }
            />
          ))}
          <Tooltip
            isAnimationActive={false}
            content={({ active, label }) =>
              active && typeof label === 'number' ? (
                <DayDetails forecast={forecast} past={past} date={addDays(from, label)} />
              ) : null
            }
          />
        </ComposedChart>
      </ResponsiveContainer>
      <Cycles forecast={forecast} from={from} to={to} />
    </div>
  );
}

function pointsOf({
  forecast: { days, today },
  past,
  before,
  from,
  to,
}: Omit<BalanceChartProps, 'to'> & { from: string; to: string }): Point[] {
  const shown = (days ?? []).filter(({ date }) => date <= to);
  const points: Point[] = past.map(({ balance }, x) => ({ x, past: Number(balance) }));
  const offset = daysBetween({ from, to: today });
  shown.forEach(({ balance }, i) =>
    points.push({
      x: offset + i,
      balance: Number(balance),
      // The line of the past ends where the one of the plan begins.
      past: i === 0 ? points.at(-1)?.past : undefined,
      before: before && Number(before.days?.[i]?.balance),
    }),
  );
  const last = points.at(-1);
  return last ? [...points, { ...last, x: last.x + 1 }] : [];
}

/** The lowest of the short days, and others whose labels do not cover that of another one. */
function namedDays(short: ShortDays[], distance: number): BalanceDay[] {
  const named: BalanceDay[] = [];
  const byBalance = short
    .map(({ lowest }) => lowest)
    .sort((a, b) => compareAmounts(a.balance, b.balance));
  for (const lowest of byBalance) {
    const isFar = ({ date }: BalanceDay): boolean =>
      Math.abs(daysBetween({ from: date, to: lowest.date })) > distance;
    if (named.every(isFar)) named.push(lowest);
  }
  return named;
}

/** The day of a pay day, with its month where that changes; undefined where it would not fit. */
function tickLabel(
  index: number,
  payDays: { date: string }[],
  { width, x, day }: { width: number; x: (date: string) => number; day: Locale['day'] },
): string | undefined {
  let free = 0;
  let month = '';
  for (const [i, { date }] of payDays.entries()) {
    if (x(date) < free) {
      if (i === index) return undefined;
      continue;
    }
    const isNewMonth = date.slice(0, 7) !== month;
    if (i === index) return isNewMonth ? day(date, 'day') : String(Number(date.slice(8)));
    free = x(date) + width * (isNewMonth ? 1 : 0.6);
    month = date.slice(0, 7);
  }
  return undefined;
}

interface PayDayTickProps {
  x: number;
  y: number;
  label: string | undefined;
  isNext: boolean;
}

function PayDayTick({ x, y, label, isNext }: PayDayTickProps) {
  return (
    <g>
      <path d={`M${x - 4} ${y + 4}h8l-4 -7z`} fill="var(--accent)" />
      <text x={x} y={y + 20} textAnchor="middle" className={isNext ? css.nextTick : undefined}>
        {label}
      </text>
    </g>
  );
}

interface TagProps {
  text: string;
  kind?: 'today' | 'plain' | 'danger';
  /** Given by the chart. */
  viewBox?: { x: number; y: number; width: number; height: number };
}

/** A label within the chart: at its top, or beside the point that it names. */
function Tag({ text, kind = 'today', viewBox }: TagProps) {
  const chartWidth = useChartWidth() ?? 0;
  if (!viewBox) return null;
  const width = text.length * 6.4 + 16;
  const isBeside = kind === 'plain';
  const left = isBeside ? viewBox.x + 20 : viewBox.x - width / 2;
  const x = Math.min(Math.max(AXIS_WIDTH, left), chartWidth - width);
  const y = isBeside ? viewBox.y - 6 : 4;
  return (
    <g className={css[kind]}>
      <rect x={x} y={y} width={width} height={22} rx={5} />
      <text x={x + width / 2} y={y + 15} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

/** What comes in and goes out on a day. */
function DayDetails({
  forecast: { days, entries },
  past,
  date,
}: {
  forecast: Forecast;
  past: BalanceDay[];
  date: string;
}) {
  const { usd, day } = useLocale();
  const balance = [...past, ...(days ?? [])].find((each) => each.date === date)?.balance;
  if (balance === undefined) return null;
  const lines = (entries ?? []).filter((entry) => entry.date === date).slice(0, 6);
  return (
    <dl className={css.details} role="status">
      <div>
        <dt>
          <b>{day(date, 'long')}</b>
        </dt>
        <dd>
          <b>{usd(balance)}</b>
        </dd>
      </div>
      {lines.map(({ description, entity_type: type, amount_usd: amount }, i) => (
        <div key={i}>
          <dt>{description}</dt>
          <dd>
            {type === 'cycle' || type === 'cycle_income'
              ? usd(amount, 'always')
              : usd(`-${amount}`)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The cycles below the days that they have. */
function Cycles({ forecast, from, to }: { forecast: Forecast; from: string; to: string }) {
  const { t, days } = useLocale();
  const length = daysBetween({ from, to }) + 1;
  const next = forecast.cycles.find((cycle) => cycle.start_date > forecast.today);
  const nameOf = (cycle: { start_date: string }): string => {
    if (cycle === next) return t.overview.nextCycle;
    return cycle.start_date <= forecast.today ? t.overview.ranges.cycle : '';
  };
  return (
    <div className={css.cycles} style={{ marginLeft: AXIS_WIDTH }}>
      {forecast.cycles
        .filter((cycle) => cycle.start_date <= to && cycle.end_date >= from)
        .map((cycle) => {
          const first = Math.max(0, daysBetween({ from, to: cycle.start_date }));
          const last = Math.min(length, daysBetween({ from, to: cycle.end_date }) + 1);
          return (
            <div
              key={cycle.start_date + cycle.name}
              className={cycle.source === 'proposed' ? css.proposed : undefined}
              style={{ width: `${((last - first) / length) * 100}%` }}
            >
              <b>{nameOf(cycle)}</b> {days(cycle)}
              {cycle.source === 'proposed' && `, ${t.overview.proposed}`}
            </div>
          );
        })}
    </div>
  );
}
