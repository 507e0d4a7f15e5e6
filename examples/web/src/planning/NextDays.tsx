import { Group } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { client } from '../api';
import { useLocale } from '../locale';
import { usePreview } from './usePreview';

const SHOWN = 4;

const compute = (body: Schemas['ComputeOccurrencesDto'], signal: AbortSignal) =>
  client.POST('/occurrences', { body, signal });

/** The days on which what is typed would come or be due. */
export function NextDays({
  title,
  rule,
}: {
  title: string;
  rule: Schemas['ComputeOccurrencesDto'];
}) {
  const { t, day } = useLocale();
  const texts = t.planning.template;
  const { data } = usePreview(rule, compute);
  if (!data) return null;
  const { occurrences } = data;
  const more = occurrences.length - SHOWN;
  return (
    <div role="status">
      <p className="muted">{title}</p>
      <Group gap={8} mt={8}>
        {occurrences.slice(0, SHOWN).map(({ date, rule_date, reasons }) => (
          <span key={rule_date} className="badge good">
            {day(date)}
            {reasons.includes('weekend') && <small>{texts.insteadOf(day(rule_date))}</small>}
          </span>
        ))}
        {occurrences.length === 0 && texts.noneNext(day(rule.to, 'year'))}
        {more > 0 && <span className="detail muted">{texts.more(more, day(rule.to, 'year'))}</span>}
      </Group>
    </div>
  );
}
