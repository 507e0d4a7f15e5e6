import { Modal } from '@mantine/core';
import { addDays, recurrenceText, type Query } from 'expense-service-client';
import { queries, useMe, useQuery, useQueryList } from '../api';
import { Amount, PageHead } from '../components/Page';
import { RecordList } from '../components/RecordList';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { TemplateForm } from './TemplateForm';
import { useSyncQuestion } from './SyncPreview';
import { amountAt, amountInForce, groupsOf, updateTemplates, type Template } from './templates';

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

  const { ask, question, close: closeQuestion } = useSyncQuestion();
  const groups = groupsOf(useQuery(query).data ?? []);
  const groupOf = (template: Template) => groups.find(([first]) => first.id === template.id);

  function nextDay(group: readonly Template[]): string {
    const ids = group.filter(({ active }) => active).map(({ id }) => id);
    const next = entries.find(
      ({ template_id, entry_date: date }) =>
        ids.includes(template_id ?? '') && date >= (today ?? ''),
    );
    if (!next) return '';
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
  function suggestion(template: Template, group: readonly Template[]) {
    const found = variance?.templates.find((each) => each.template.id === template.id)?.suggestion;
    if (!found) return [];
    const send = () => updateTemplates(group, amountInForce(today ?? '', found.amount, template));
    const label = texts.usually(money(found.amount, template.currency));
    return [{ label, done: t.done.saved(template.description), send, onDone: ask }];
  }

  return (
    <>
      <RecordList
        title={texts[kind].title}
        text={texts[kind].why}
        query={query}
        height={294}
        isShown={(template) => groupOf(template) !== undefined}
        row={(template) => {
          const group = groupOf(template) ?? [template];
          const rule =
            group.length > 1 ? t.planning.template.fortnight : recurrenceText(template, locale);
          const method = template.payment_method?.name;
          const details = [rule, method, nextDay(group), nextAmount(template)];
          return {
            name: template.description,
            detail: details.filter(Boolean).join(' · '),
            end: <Amount amount={amountAt(today ?? '', template)} currency={template.currency} />,
            actions: suggestion(template, group),
          };
        }}
        form={(template, close) => (
          <TemplateForm
            kind={kind}
            templates={template && (groupOf(template) ?? [template])}
            onDone={close}
          />
        )}
      />
      <Modal opened={question !== undefined} onClose={closeQuestion}>
        {question}
      </Modal>
    </>
  );
}
