import { useState } from 'react';
import { Group } from '@mantine/core';
import { addDays, recurrenceText, type RecurrenceRule, type Schemas } from 'expense-service-client';
import { client, useMe } from '../api';
import { Choice, Removable } from '../components/Page';
import { ChangedElsewhere, RecordForm, type Field } from '../components/RecordForm';
import { usePreview } from '../components/usePreview';
import { paymentFields } from '../entries/EntryForm';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { amountAt, createTemplate, fortnightFrom, ruleOf, rulesFrom } from './templates';
import { startFor, updateTemplate, withChange, type NewTemplate, type Template } from './templates';
import { useActive } from './useActive';

const DAYS_PREVIEWED = 365;
const DATES_SHOWN = 4;

/** The fields of a template that are sent as they are, and those that say how it recurs. */
interface Draft {
  description: string;
  base_amount: string;
  /** Another amount from a day on. */
  new_amount: string | null;
  new_from: string;
  currency: Schemas['CurrencyCode'];
  repeats: keyof ReturnType<typeof rulesFrom> | 'present' | 'fortnight';
  interval: string;
  unit: Schemas['RecurrenceUnit'];
  reference_date: string;
  ends_on: string | null;
  weekend_rule: Schemas['WeekendRule'];
  payment_method_id: string;
  budget_id: string | null;
  category: Schemas['ExpenseCategory'];
}

interface TemplateFormProps {
  /** What is edited, or whether a new one is an income or an expense. */
  template?: Template | undefined;
  kind?: Kind;
  onDone: () => void;
}

export function TemplateForm({ template, kind: givenKind, onDone }: TemplateFormProps) {
  const { t, locale, day, money } = useLocale();
  const texts = t.planning.template;
  const { data: me } = useMe();
  const showDone = useDone();
  const [chosenKind, setKind] = useState<Kind>('expense');
  const [changes, setChanges] = useState(template?.amount_changes ?? []);
  const [skipped, setSkipped] = useState(template?.skipped_dates ?? []);
  const put = (body: Schemas['UpdateExpenseTemplateDto']) =>
    updateTemplate(template as Template, body);
  const name = template?.description ?? '';
  const actions = useActive(template && { ...template, name, put, onDone });
  if (!me) return null;
  const kind = givenKind ?? chosenKind;
  const first = template?.reference_date ?? me.today;

  const rulesOf = ({
    reference_date: date,
    interval,
    unit,
  }: Draft): Record<string, RecurrenceRule> => ({
    ...(template && { present: { ...ruleOf(template), reference_date: date } }),
    ...rulesFrom(date, { interval: Number(interval), unit }),
  });
  const ruleNames = (draft: Draft) => ({
    ...Object.fromEntries(
      Object.entries(rulesOf(draft)).map(([choice, rule]) => [
        choice,
        choice === 'interval' ? texts.otherInterval : recurrenceText(rule, locale),
      ]),
    ),
    ...(!template && { fortnight: texts.fortnight }),
  });
  const schedulesOf = ({ repeats, ...draft }: Draft) => {
    const { reference_date: first, weekend_rule, ends_on } = draft;
    const rule = rulesOf({ repeats, ...draft })[repeats];
    const starts_on =
      template?.reference_date === first ? template.starts_on : startFor(first, weekend_rule);
    return (rule ? [rule] : fortnightFrom(first)).map((each) => ({
      ...{ ...each, starts_on, ends_on, weekend_rule },
    }));
  };

  const changesOf = ({ new_amount: amount, new_from: from }: Draft) =>
    from && /^\d+\.\d\d$/.test(amount ?? '')
      ? withChange(changes, { from, amount: amount ?? '' })
      : changes;
  const toggleSkipped = (date: string) =>
    setSkipped((dates) =>
      dates.includes(date) ? dates.filter((each) => each !== date) : [...dates, date].sort(),
    );

  async function save(typed: Draft): Promise<void> {
    const { repeats: _, interval: _every, unit: _unit, new_amount, new_from, ...draft } = typed;
    const operations: (string | undefined)[] = [];
    const amounts = { amount_changes: changesOf(typed), skipped_dates: skipped };
    // The last amount is that of the last occurrence, which there is no more.
    const noLast = template?.last_amount && !draft.ends_on && { last_amount: null };
    for (const schedule of schedulesOf(typed)) {
      const body = { ...({ ...draft, ...noLast, ...schedule } as NewTemplate), ...amounts };
      const sent = await (template ? put(body) : createTemplate(kind, body));
      operations.push(sent.operationId);
    }
    showDone(t.done.saved(draft.description), ...operations);
    onDone();
  }

  const half = true;
  const whenInterval = { half, when: ({ repeats }: Draft) => repeats === 'interval' };
  const repeats: Field<Draft> = {
    label: kind === 'income' ? texts.comes : texts.repeats,
    value: template ? 'present' : 'monthly',
    options: ruleNames,
  };
  return (
    <>
      {!template && !givenKind && (
        <Choice
          label={texts.kind}
          options={{ expense: t.add.expense, income: t.add.income }}
          value={kind}
          onChange={setKind}
        />
      )}
      {template && (
        <ChangedElsewhere record={template}>
          {texts.present(name, money(template.base_amount, template.currency))}{' '}
          {recurrenceText(template, locale)}
        </ChangedElsewhere>
      )}
      <RecordForm<Draft>
        fields={{
          description: { label: t.fields.description, value: name },
          base_amount: {
            ...{ label: t.fields.amount, kind: 'money', value: template?.base_amount },
            currency: 'currency',
          },
          currency: { value: template?.currency ?? me.preferred_currency },
          new_amount: {
            ...{ label: texts.newAmount, kind: 'money', optional: true, half },
            ...{ placeholder: texts.noNewAmount, when: () => template !== undefined },
            unit: ({ currency }) => currency,
          },
          new_from: {
            ...{ label: texts.newFrom, kind: 'day', half },
            when: ({ new_amount: amount }) => amount !== null,
          },
          repeats,
          interval: { label: texts.every, value: '2', ...whenInterval },
          unit: { label: texts.unit, options: texts.units, value: 'months', ...whenInterval },
          reference_date: { label: texts.firstOn, kind: 'day', value: first, half },
          ends_on: {
            ...{ label: texts.endsOn, kind: 'day', value: template?.ends_on, half },
            ...{ optional: true, placeholder: texts.noEnd },
          },
          weekend_rule: {
            ...{ label: texts.weekend, options: texts.weekends },
            value: template?.weekend_rule ?? 'keep',
          },
          ...paymentFields(t.fields, { kind, record: template }),
        }}
        send={save}
        label={t.do.save}
        onCancel={onDone}
        actions={actions}
      >
        {(draft) => (
          <>
            <Group gap={8} mt="sm">
              {changes.map(({ from, amount }) => {
                const text = texts.changesOn(money(amount, draft.currency), day(from, 'year'));
                return (
                  <Removable
                    key={from}
                    {...{ text, label: texts.remove(text) }}
                    onRemove={() => setChanges(changes.filter((each) => each.from !== from))}
                  />
                );
              })}
            </Group>
            <NextDays
              {...{ title: texts.next[kind], today: me.today, rules: schedulesOf(draft) }}
              {...{ skipped, onSkip: toggleSkipped }}
              amountOf={(date) => {
                const amounts = {
                  base_amount: draft.base_amount,
                  amount_changes: changesOf(draft),
                };
                const amount = amountAt(date, amounts);
                return amount === draft.base_amount ? '' : money(amount, draft.currency);
              }}
            />
            <p className="detail muted">{texts.notYet}</p>
          </>
        )}
      </RecordForm>
    </>
  );
}

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
function NextDays({ title, today, rules, skipped, onSkip, amountOf }: NextDaysProps) {
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
    <div role="status" style={{ marginTop: 16 }}>
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
              {...{ text: day(date), label: texts.takeBack(day(date)), color: 'gray' }}
              onRemove={() => onSkip(date)}
            />
          ))}
        </Group>
      )}
    </div>
  );
}
