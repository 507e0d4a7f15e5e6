import { addDays, recurrenceText, type Query } from 'expense-service-client';
import { queries, useMe, useQuery } from '../api';
import { Amount, PageHead } from '../components/Page';
import { RecordList } from '../components/RecordList';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { TemplateForm } from './TemplateForm';
import { updateTemplate, type Template } from './templates';

const DAYS_AHEAD = 400;

export function Recurring() {
  const { t } = useLocale();
  return (
    <>
      <PageHead title={t.planning.recurring.title} />
      <Templates kind="income" query={queries.query('/income-templates')} />
      <Templates kind="expense" query={queries.query('/expense-templates')} />
    </>
  );
}

function Templates({ kind, query }: { kind: Kind; query: Query<Template[]> }) {
  const { t, locale, day, money } = useLocale();
  const texts = t.planning.recurring;
  const today = useMe().data?.today;
  const ahead = { include: ['entries' as const], to: today && addDays(today, DAYS_AHEAD) };
  const forecast = useQuery(queries.query('/forecast', { params: { query: ahead } })).data;
  const variance = useQuery(queries.query('/reports/variance')).data;

  function nextDay({ id, active }: Template): string {
    const next = forecast?.entries?.find(
      ({ template_id, entry_date: date }) => template_id === id && date >= forecast.today,
    );
    return active && next ? texts.nextOn(day(next.entry_date)) : '';
  }

  /** Offers the amount that its entries usually have, if it is another one. */
  function suggestion(template: Template) {
    const found = variance?.templates.find((each) => each.template.id === template.id)?.suggestion;
    if (!found) return [];
    const send = () => updateTemplate(template, { base_amount: found.amount });
    const label = texts.usually(money(found.amount, template.currency));
    return [{ label, done: t.done.saved(template.description), send }];
  }

  return (
    <RecordList
      title={texts[kind].title}
      text={texts[kind].why}
      query={query}
      height={294}
      row={(template) => ({
        name: template.description,
        detail: [recurrenceText(template, locale), template.payment_method?.name, nextDay(template)]
          .filter(Boolean)
          .join(' · '),
        end: <Amount amount={template.base_amount} currency={template.currency} />,
        actions: suggestion(template),
      })}
      form={(template, close) => <TemplateForm {...{ kind, template }} onDone={close} />}
    />
  );
}
