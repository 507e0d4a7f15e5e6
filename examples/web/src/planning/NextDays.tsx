import { Group } from '@mantine/core';
import { addDays, type RecurrenceRule, type Schemas } from 'expense-service-client';
import { client } from '../api';
import { Removable } from '../components/Page';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';

const DAYS_PREVIEWED = 365;
const DATES_SHOWN = 4;

type Period = Schemas['ComputeOccurrencesDto'];

/** The dates of all rules, in their order. */
async function compute(periods: Period[], signal: AbortSignal) {
  const all = await Promise.all(
    periods.map((body) => client.POST('/occurrences', { body, signal })),
  );
  const data = all.flatMap((each) => each.data.occurrences);
  return { data: data.sort((a, b) => a.date.localeCompare(b.date)) };
}

interface NextDaysProps {
  title: string;
  today: string;
  rules: (RecurrenceRule & { starts_on: string | null })[];
  /** Rule dates. */
  skipped: string[];
  /** Skips a rule date, or does so no more. */
  onSkip: (date: string) => void;
  /** Of a rule date, if it is another amount than at first. */
  amountOf: (date: string) => string;
}

/** The days on which what is typed would come or be due, and those that are skipped. */
export function NextDays({ title, today, rules, skipped, onSkip, amountOf }: NextDaysProps) {
  const { t, day } = useLocale();
  const texts = t.planning.template;
  const first = rules[0]?.starts_on;
  const from = first && first > today ? first : today;
  const to = addDays(from, DAYS_PREVIEWED);
  const periods = rules.map((rule) => ({ ...rule, from, to }) as Period);
  const { data } = usePreview(periods, compute);
  if (!data) return null;
  const occurrences = data.filter(({ rule_date: date }) => !skipped.includes(date));
  const left = skipped.filter((date) => date >= today);
  const more = occurrences.length - DATES_SHOWN;
  return (
    <div role="status">
      <p className="muted">{title}</p>
      <Group gap={8} mt={8}>
        {occurrences.slice(0, DATES_SHOWN).map(({ date, rule_date, reasons }) => {
          const other = reasons.includes('weekend') && texts.insteadOf(day(rule_date));
          return (
            <Removable
              key={rule_date}
              text={[day(date), other, amountOf(rule_date)].filter(Boolean).join(' ')}
              label={texts.skip(day(date))}
              onRemove={() => onSkip(rule_date)}
            />
          );
        })}
        {occurrences.length === 0 && texts.noneNext(day(to, 'year'))}
        {more > 0 && <span className="detail muted">{texts.more(more, day(to, 'year'))}</span>}
      </Group>
      {left.length > 0 && (
        <Group gap={8} mt={8}>
          <span className="muted">{texts.skipped}</span>
          {left.map((date) => (
            <Removable
              key={date}
              text={day(date)}
              label={texts.takeBack(day(date))}
              color="gray"
              onRemove={() => onSkip(date)}
            />
          ))}
        </Group>
      )}
    </div>
  );
}
