import { useState } from 'react';
import { Alert, NumberInput, SegmentedControl, Select, SimpleGrid } from '@mantine/core';
import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { addDays, formatNumber, parseAmount, type Schemas } from 'expense-service-client';
import { queries, useMe, useQuery, type Currency } from '../api';
import { amountOf, DayField, FormButtons, MoneyField } from '../components/forms';
import { RecordSelect, useSubmit } from '../components/forms';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { ActiveButton } from './ActiveButton';
import { NextDays } from './NextDays';
import { ruleOf, rulesFrom, ruleText, startFor, type Rule } from './rules';
import { createTemplate, isExpense, kindOf, updateTemplate } from './templates';
import type { NewTemplate, Template, TemplateKind } from './templates';

const DAYS_SHOWN = 365;

interface TemplateFormProps {
  /** What is edited, or whether a new one is an income or an expense. */
  template?: Template;
  kind?: TemplateKind;
  onDone: () => void;
}

const choices = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

/** Has the names of the API, so that its errors are shown at the fields. */
const valuesOf = (
  template: Template | undefined,
  { today, currency, locale }: { today: string; currency: Currency; locale: string },
) => ({
  description: template?.description ?? '',
  base_amount: template ? formatNumber(template.base_amount, locale) : '',
  currency: template?.currency ?? currency,
  repeats: (template ? 'present' : 'monthly') as keyof ReturnType<typeof rulesFrom> | 'present',
  recurrence_config: { interval: 2, unit: 'months' as Schemas['RecurrenceUnit'] },
  reference_date: template?.reference_date ?? today,
  ends_on: template?.ends_on ?? null,
  weekend_rule: template?.weekend_rule ?? 'keep',
  payment_method_id: template?.payment_method?.id ?? null,
  budget_id: (template && isExpense(template) && template.budget?.id) || null,
  category: template && isExpense(template) ? template.category : ('fixed' as const),
  /** Of a new payment method. */
  name: '',
  method_type: 'debit' as Schemas['PaymentMethodType'],
});
type Values = ReturnType<typeof valuesOf>;

export function TemplateForm({ template, kind: givenKind, onDone }: TemplateFormProps) {
  const locale = useLocale();
  const { t, money } = locale;
  const texts = t.planning.template;
  const { data: me } = useMe();
  const today = me?.today ?? new Date().toISOString().slice(0, 10);
  const methods = useQuery(
    queries.query('/payment-methods', { params: { query: { active: true } } }),
  );
  const showDone = useDone();
  const [original] = useState(template);
  const [newKind, setKind] = useState(givenKind ?? 'expense');
  const kind = template ? kindOf(template) : newKind;
  const needsMethod = kind === 'expense' && methods.data?.length === 0 && !template;

  const required = (value: string | null) => (value ? null : t.fields.required);
  const form = useForm({
    initialValues: valuesOf(template, {
      ...{ today, locale: locale.locale },
      currency: me?.preferred_currency ?? 'USD',
    }),
    validate: {
      description: required,
      base_amount: (text) =>
        parseAmount(text, locale.locale) === undefined ? t.fields.invalidAmount : null,
      payment_method_id: (id) => (kind === 'expense' && !needsMethod ? required(id) : null),
      name: (name) => (needsMethod ? required(name) : null),
    },
  });
  const { values } = form;
  const first = values.reference_date;
  const rules: Partial<Record<Values['repeats'], Rule>> = {
    ...(template && { present: { ...ruleOf(template), reference_date: first } }),
    ...rulesFrom(first, values.recurrence_config),
  };
  const schedule = {
    ...(rules[values.repeats] as Rule),
    starts_on:
      template?.reference_date === first
        ? template.starts_on
        : startFor(first, values.weekend_rule),
    ends_on: values.ends_on,
    weekend_rule: values.weekend_rule,
  };
  const ruleName = (choice: Values['repeats']) =>
    choice === 'interval' ? t.planning.rule.other : ruleText(rules[choice] as Rule, locale);
  // One choice of each name: two may mean the same.
  const choiceOf = new Map(
    [...(Object.keys(rules) as Values['repeats'][]), values.repeats].map((choice) => [
      ruleName(choice),
      choice,
    ]),
  );
  const ruleNames = Object.fromEntries([...choiceOf].map(([name, choice]) => [choice, name]));
  const categories = { fixed: t.fields.fixed, variable: t.fields.variable };
  const from = schedule.starts_on && schedule.starts_on > today ? schedule.starts_on : today;

  const { save, problem, isSaving } = useSubmit(form, async (values) => {
    const { description, currency, name, method_type } = values;
    const payment_method_id = needsMethod
      ? await createMethod({ name, method_type, default_currency: currency })
      : values.payment_method_id;
    // For another attempt, if the template is refused.
    form.setFieldValue('payment_method_id', payment_method_id);
    const body = {
      ...schedule,
      ...{ description, currency, payment_method_id },
      base_amount: amountOf(values.base_amount, locale.locale),
      ...(kind === 'expense' && { category: values.category, budget_id: values.budget_id }),
    } as NewTemplate;
    const { operationId } = template
      ? await updateTemplate(template, body)
      : await createTemplate(kind, body);
    showDone(t.done.saved(description), operationId);
    onDone();
  });

  const input = form.getInputProps;
  const choice = (name: string, label: string, labels: Record<string, string>) => (
    <Select label={label} data={choices(labels)} allowDeselect={false} {...input(name)} />
  );
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        {!template && !givenKind && (
          <SegmentedControl
            aria-label={texts.kind}
            data={choices({ expense: t.add.expense, income: t.add.income })}
            value={kind}
            onChange={(value) => setKind(value as TemplateKind)}
          />
        )}
        <TextInput label={t.fields.description} data-autofocus {...input('description')} />
        <MoneyField
          currency={values.currency}
          onCurrencyChange={(currency) => form.setFieldValue('currency', currency)}
          {...input('base_amount')}
        />
        {choice('repeats', kind === 'income' ? texts.comes : texts.repeats, ruleNames)}
        <SimpleGrid cols={2}>
          {values.repeats === 'interval' && (
            <>
              <NumberInput label={texts.every} min={1} {...input('recurrence_config.interval')} />
              {choice('recurrence_config.unit', texts.unit, texts.units)}
            </>
          )}
          <DayField label={texts.firstOn} {...input('reference_date')} />
          <DayField
            label={texts.endsOn}
            placeholder={texts.noEnd}
            clearable
            {...input('ends_on')}
          />
        </SimpleGrid>
        {choice('weekend_rule', texts.weekend, texts.weekends)}
        <NextDays
          title={texts.next[kind]}
          rule={{ ...schedule, from, to: addDays(from, DAYS_SHOWN) }}
        />
        <SimpleGrid cols={2}>
          {needsMethod ? (
            <>
              <TextInput label={t.fields.paymentMethod} {...input('name')} />
              {choice('method_type', texts.methodKind, texts.methods)}
            </>
          ) : (
            <RecordSelect
              of="/payment-methods"
              label={t.fields.paymentMethod}
              present={template?.payment_method}
              clearable={kind === 'income'}
              {...input('payment_method_id')}
            />
          )}
          {kind === 'expense' && (
            <>
              <RecordSelect
                of="/budgets"
                label={t.fields.budget}
                present={template && isExpense(template) ? template.budget : null}
                placeholder={t.fields.none}
                clearable
                {...input('budget_id')}
              />
              {choice('category', t.fields.category, categories)}
            </>
          )}
        </SimpleGrid>
        {template && template.updated_at !== original?.updated_at && (
          <Alert role="status">
            {texts.present(template.description, money(template.base_amount, template.currency))}{' '}
            {ruleText(template, locale)}
          </Alert>
        )}
      </Stack>
      <FormButtons label={t.do.save} problem={problem} isSaving={isSaving} onCancel={onDone}>
        {template && (
          <ActiveButton
            name={template.description}
            active={template.active}
            send={(body) => updateTemplate(template, body)}
            onDone={onDone}
          />
        )}
      </FormButtons>
    </form>
  );
}

const createMethod = async (body: Schemas['CreatePaymentMethodDto']) =>
  (await queries.send('POST', '/payment-methods', { body })).data.id;
