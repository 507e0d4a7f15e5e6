/** What is named above and below the chart of the balance, where no line crosses it. */
import { Group, Text } from '@mantine/core';
import { compareAmounts, daysBetween, shortDays, subtractAmounts } from 'expense-service-client';
import type { Forecast } from '../api';
import { useLocale } from '../locale';

/** Of the labels of the vertical axis. */
export const AXIS_WIDTH = 76;

/** The lowest day, and whether it is below the minimum. */
export function lowestDay(forecast: Forecast) {
  const [worst] = shortDays(forecast).sort((a, b) =>
    compareAmounts(a.lowest.balance, b.lowest.balance),
  );
  return { lowest: worst?.lowest ?? forecast.lowest, isShort: worst !== undefined };
}

interface LegendProps {
  forecast: Forecast;
  isTrying: boolean;
  to: string;
}

export function Legend({ forecast, isTrying, to }: LegendProps) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const { minimum_balance: minimum } = forecast;
  const { lowest, isShort } = lowestDay(forecast);
  const date = day(lowest.date);
  const text = isShort
    ? texts.shortBy(usd(subtractAmounts(minimum, lowest.balance)), date)
    : texts.lowestTag(usd(lowest.balance), date);
  return (
    <Group gap="4px 16px" fz={12} c="dimmed" pl={{ base: 8, sm: AXIS_WIDTH }}>
      <Text span inherit c={isShort ? 'red' : 'var(--text)'}>
        <span aria-hidden className={isShort ? undefined : 'accent'}>
          ◯{' '}
        </span>
        {text}
        {lowest.date > to && ' →'}
      </Text>
      <span>
        <span aria-hidden>┈ </span>
        {texts.minimumTag(usd(minimum))}
      </span>
      {isTrying && (
        <>
          <span>
            <span aria-hidden>┄ </span>
            {texts.now}
          </span>
          <span>
            <span aria-hidden className="accent">
              ━{' '}
            </span>
            {texts.withIt}
          </span>
        </>
      )}
    </Group>
  );
}

/** The cycles below the days that they have. */
export function CycleBars({
  forecast,
  from,
  to,
}: {
  forecast: Forecast;
  from: string;
  to: string;
}) {
  const { t, days } = useLocale();
  const { today, cycles } = forecast;
  const next = cycles.find((cycle) => cycle.start_date > today);
  const nameOf = (cycle: Forecast['cycles'][number]) =>
    cycle.start_date <= today ? t.overview.ranges.cycle : cycle === next && t.overview.nextCycle;
  return (
    <Group gap={4} wrap="nowrap" ml={AXIS_WIDTH} mr={8}>
      {cycles
        .filter((cycle) => cycle.start_date <= to && cycle.end_date >= from)
        .map((cycle) => (
          <Text
            key={cycle.start_date}
            className="cycle-bar"
            flex={daysBetween({
              from: cycle.start_date < from ? from : cycle.start_date,
              to: cycle.end_date > to ? to : cycle.end_date,
            })}
          >
            <b>{nameOf(cycle)}</b>
            <span>{days(cycle)}</span>
            {cycle.source === 'proposed' && <span>{t.overview.proposed}</span>}
          </Text>
        ))}
    </Group>
  );
}
