import { addDays, recurrenceText, type Query } from 'expense-service-client';
import { queries, useMe, useQuery, useQueryList } from '../api';
import { Amount, PageHead } from '../components/Page';
import { RecordList } from '../components/RecordList';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { TemplateForm } from './TemplateForm';
import { amountAt, amountInForce, updateTemplate, type Template } from './templates';

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
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  // What leaves with a statement is by itself in the forecast of its card alone.
  const cards = methods.filter(({ closing_day: closing }) => closing !== null);
  const parts = [{}, ...cards.map(({ id }) => ({ payment_method_id: id }))];
  const forecasts = useQueryList(
    parts.map((part) => queries.query('/forecast', { params: { query: { ...ahead, ...part } } })),
  );
  const entries = forecasts.flatMap(({ data }) => data?.entries ?? []);
  const variance = useQuery(queries.query('/reports/variance')).data;

  function nextDay({ id, active }: Template): string {
    const next = entries.find(
      ({ template_id, entry_date: date }) => template_id === id && date >= (today ?? ''),
    );
    if (!active || !next) return '';
    const { instalment, entry_date: date } = next;
    const part = instalment && t.instalment(instalment.number, instalment.count);
    return [texts.nextOn(day(date)), part].filter(Boolean).join(', ');
  }

  function nextAmount({ amount_changes: changes, currency }: Template): string {
    const next = changes.find(({ from }) => from > (today ?? ''));
    if (!next) return '';
    return t.planning.template.changesOn(money(next.amount, currency), day(next.from, 'day'));
  }

  /** Offers the amount that its entries usually have, if it is another one. */
  function suggestion(template: Template) {
    const found = variance?.templates.find((each) => each.template.id === template.id)?.suggestion;
    if (!found) return [];
    const send = () => updateTemplate(template, amountInForce(today ?? '', found.amount, template));
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
        detail: [
          recurrenceText(template, locale),
          template.payment_method?.name,
          nextDay(template),
          nextAmount(template),
        ]
          .filter(Boolean)
          .join(' · '),
        end: <Amount amount={amountAt(today ?? '', template)} currency={template.currency} />,
        actions: suggestion(template),
      })}
      form={(template, close) => <TemplateForm {...{ kind, template }} onDone={close} />}
    />
  );
}
