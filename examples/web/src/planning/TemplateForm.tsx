/** The form of what recurs. */
import { useState } from 'react';
import { Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { recurrenceText, type Schemas } from 'expense-service-client';
import { queries, useMe, useQuery, type Currency } from '../api';
import { Form } from '../components/Form';
import { ChangedElsewhere } from '../components/FormDrawer';
import { DayInput, isAmount, MoneyInput, orNull, useRules } from '../components/inputs';
import { Choice, Removable } from '../components/Page';
import { PaymentInputs, paymentValues } from '../entries/PaymentInputs';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { useDone, type Operation } from '../write';
import { NextDays } from './NextDays';
import { Schedule, schedulesOf, scheduleValues } from './Schedule';
import { useSyncQuestion } from './SyncPreview';
import {
  amountAt,
  saveTemplates,
  updateTemplates,
  withChange,
  type AmountChange,
  type Template,
} from './templates';
import { useActive } from './useActive';

interface TemplateFormProps {
  /** What is edited: one, or the two of a quincena. */
  templates?: readonly Template[] | undefined;
  /** Left out: it is chosen. */
  kind?: Kind;
  onDone: () => void;
  /** Left out: the same. */
  onCancel?: () => void;
  cancelLabel?: string;
}

export function TemplateForm({ templates = [], kind, onDone, ...props }: TemplateFormProps) {
  const { t, locale, money } = useLocale();
  const texts = t.planning.template;
  const { data: me } = useMe();
  const query = { active: true };
  const methods = useQuery(queries.query('/payment-methods', { params: { query } })).data;
  const [chosen, setChosen] = useState<Kind>('expense');
  const { ask, question } = useSyncQuestion(onDone);
  const [template] = templates;
  if (!me || !methods) return null;
  if (question) return question;
  const main = methods.find(({ method_type: type }) => type === 'debit') ?? methods[0];
  return (
    <>
      {!kind && (
        <Choice
          label={texts.kind}
          options={{ expense: t.add.expense, income: t.add.income }}
          value={chosen}
          onChange={setChosen}
        />
      )}
      {template && (
        <ChangedElsewhere record={template}>
          {texts.present(template.description, money(template.base_amount, template.currency))}{' '}
          {recurrenceText(template, locale)}
        </ChangedElsewhere>
      )}
      <Fields
        templates={templates}
        method={main}
        kind={kind ?? chosen}
        me={me}
        onSaved={ask}
        onCancel={onDone}
        {...props}
      />
    </>
  );
}

interface FieldsProps {
  templates: readonly Template[];
  kind: Kind;
  me: Schemas['UserResponse'];
  /** Of a new one, at first. */
  method: { id: string; name: string } | undefined;
  onSaved: (operations: Operation[]) => Promise<void>;
  onCancel: () => void;
  cancelLabel?: string;
}

function Fields({ templates, kind, me, method, onSaved, ...props }: FieldsProps) {
  const { t, money } = useLocale();
  const texts = t.planning.template;
  const showDone = useDone();
  const { required, amount, optionalAmount } = useRules();
  const [template] = templates;
  const name = template?.description ?? '';
  const [changes, setChanges] = useState(template?.amount_changes ?? []);
  const [skipped, toggleSkipped] = useSkipped(templates);
  const put = (body: Schemas['UpdateExpenseTemplateDto']) => updateTemplates(templates, body);
  const actions = useActive(
    template && { ...template, name, put, onDone: (done) => void onSaved(done) },
  );
  const form = useForm({
    initialValues: {
      description: name,
      base_amount: template?.base_amount ?? '',
      currency: template?.currency ?? me.preferred_currency,
      /** Another amount from a day on. */
      new_amount: '',
      new_from: null as string | null,
      ...scheduleValues(template, me.today),
      ...paymentValues(template ?? (method && { payment_method: method })),
    },
    validate: {
      description: required,
      base_amount: amount,
      new_amount: optionalAmount,
      new_from: (from, { new_amount: other }) => (other ? required(from) : null),
      reference_date: required,
      payment_method_id: (id) => (kind === 'expense' ? required(id) : null),
    },
  });
  const { new_amount: newAmount, new_from: from, currency, base_amount: base } = form.values;
  const schedules = schedulesOf(form.values, templates);
  const amount_changes =
    from && isAmount(newAmount) ? withChange(changes, { from, amount: newAmount }) : changes;

  async function save(values: typeof form.values): Promise<void> {
    const { description, base_amount, payment_method_id, budget_id, category } = values;
    const body = {
      description,
      base_amount,
      currency,
      // Only an income may have none.
      payment_method_id: payment_method_id as string,
      budget_id: orNull(budget_id),
      ...(kind === 'expense' && { category }),
      amount_changes,
      skipped_dates: skipped,
      // The last amount is that of the last occurrence, which there is no more.
      ...(template?.last_amount && !values.ends_on && { last_amount: null }),
    };
    const operations = await saveTemplates(kind, templates, schedules, body);
    showDone(t.done.saved(description), ...operations.map(({ operationId }) => operationId));
    await onSaved(operations);
  }

  return (
    <Form form={form} send={save} label={t.do.save} actions={actions} {...props}>
      <TextInput label={t.fields.description} {...form.getInputProps('description')} />
      <MoneyInput
        label={t.fields.amount}
        currencyProps={form.getInputProps('currency')}
        {...form.getInputProps('base_amount')}
      />
      {template && (
        <Group grow align="flex-start">
          <MoneyInput
            label={texts.newAmount}
            placeholder={texts.noNewAmount}
            currency={currency}
            {...form.getInputProps('new_amount')}
          />
          {newAmount && <DayInput label={texts.newFrom} {...form.getInputProps('new_from')} />}
        </Group>
      )}
      <Schedule form={form} templates={templates} kind={kind} />
      <PaymentInputs form={form} kind={kind} record={template} />
      <AmountChanges changes={changes} currency={currency} onChange={setChanges} />
      <NextDays
        title={texts.next[kind]}
        today={me.today}
        rules={schedules}
        skipped={skipped}
        onSkip={toggleSkipped}
        amountOf={(date) => {
          const then = amountAt(date, { base_amount: base, amount_changes });
          return then === base ? '' : money(then, currency);
        }}
      />
    </Form>
  );
}

/** The rule dates that any of the templates skips, and a function that adds or removes one. */
function useSkipped(templates: readonly Template[]) {
  const [skipped, setSkipped] = useState(() =>
    [...new Set(templates.flatMap(({ skipped_dates: dates }) => dates))].sort(),
  );
  const toggle = (date: string) =>
    setSkipped((dates) =>
      dates.includes(date) ? dates.filter((each) => each !== date) : [...dates, date].sort(),
    );
  return [skipped, toggle] as const;
}

interface AmountChangesProps {
  changes: AmountChange[];
  currency: Currency;
  onChange: (changes: AmountChange[]) => void;
}

/** The amounts of later days; each can be removed. */
function AmountChanges({ changes, currency, onChange }: AmountChangesProps) {
  const { t, day, money } = useLocale();
  const texts = t.planning.template;
  return (
    <Group gap={8}>
      {changes.map((change) => {
        const text = texts.changesOn(money(change.amount, currency), day(change.from, 'year'));
        return (
          <Removable
            key={change.from}
            text={text}
            label={texts.remove(text)}
            onRemove={() => onChange(changes.filter((each) => each !== change))}
          />
        );
      })}
    </Group>
  );
}
