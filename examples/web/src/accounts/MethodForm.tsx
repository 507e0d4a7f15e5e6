import { useState } from 'react';
import { Group, Select, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { queries, useQuery, type Currency } from '../api';
import { Form } from '../components/Form';
import { CURRENCIES, MoneyInput, optionsOf, useRules } from '../components/inputs';
import { currencyOf, useLocale } from '../locale';
import { useActive } from '../planning/useActive';
import { useDone } from '../write';
import { putMethod } from './account';

type Method = Schemas['PaymentMethodResponse'];

/** Numbers are texts here, and empty ones null. */
interface Values {
  name: string;
  method_type: Method['method_type'];
  default_currency: Currency;
  amount: string;
  closing_day: string | null;
  due: 'day' | 'after';
  due_day: string | null;
  due_days_after: string | null;
  due_weekend_rule: Method['due_weekend_rule'];
  paid_from_id: string | null;
}

const firstValues = (method: Method | undefined, currency: Currency): Values => ({
  name: method?.name ?? '',
  method_type: method?.method_type ?? 'debit',
  default_currency: method?.default_currency ?? currency,
  amount: '',
  closing_day: method?.closing_day?.toString() ?? null,
  due: method?.due_days_after ? 'after' : 'day',
  due_day: method?.due_day?.toString() ?? null,
  due_days_after: method?.due_days_after?.toString() ?? null,
  due_weekend_rule: method?.due_weekend_rule ?? 'keep',
  paid_from_id: method?.paid_from_id ?? null,
});

const isCard = ({ method_type }: Values): boolean => method_type === 'credit';
const hasStatements = (values: Values): boolean => isCard(values) && values.closing_day !== null;

/** Without a day on which they close there are no statements. */
function bodyOf(values: Values): Schemas['CreatePaymentMethodDto'] {
  const {
    amount: _,
    due,
    closing_day,
    due_day,
    due_days_after,
    due_weekend_rule,
    ...body
  } = values;
  if (!hasStatements(values)) return { ...body, closing_day: null };
  return {
    ...body,
    due_weekend_rule,
    closing_day: Number(closing_day),
    due_day: due === 'day' ? Number(due_day) : null,
    due_days_after: due === 'after' ? Number(due_days_after) : null,
  };
}

interface MethodFormProps {
  method?: Method | undefined;
  /** Of a new one, at first. */
  type?: Method['method_type'];
  onDone: () => void;
  onCancel?: () => void;
  cancelLabel?: string;
}

/** Of a new one also what it has, unless that is left empty. */
export function MethodForm({ method, type = 'debit', onDone, ...props }: MethodFormProps) {
  const { t, locale } = useLocale();
  const { required, optionalAmount } = useRules();
  const showDone = useDone();
  // A new one is stored before what it has, which may be refused.
  const [stored, setStored] = useState(method);
  const put = (body: Schemas['UpdatePaymentMethodDto']) => putMethod(method as Method, body);
  const actions = useActive(method && { ...method, put, onDone });
  const form = useForm<Values>({
    initialValues: {
      ...firstValues(method, currencyOf(locale)),
      ...(!method && { method_type: type }),
    },
    validate: (values) => ({
      name: required(values.name),
      amount: optionalAmount(values.amount),
      due_day: hasStatements(values) && values.due === 'day' ? required(values.due_day) : null,
      due_days_after:
        hasStatements(values) && values.due === 'after' ? required(values.due_days_after) : null,
    }),
  });
  const { values } = form;

  async function save({ amount, ...typed }: Values): Promise<void> {
    const body = bodyOf({ ...typed, amount });
    const sent = await (stored
      ? putMethod(stored, body)
      : queries.send('POST', '/payment-methods', { body }));
    const { id, name } = sent.data;
    setStored(sent.data);
    const balances = amount && !isCard(values) ? [{ payment_method_id: id, amount }] : [];
    const stated =
      balances.length > 0 && (await queries.send('POST', '/balances', { body: { balances } }));
    showDone(t.done.saved(name), sent.operationId, stated ? stated.operationId : undefined);
    onDone();
  }

  return (
    <Form form={form} send={save} label={t.do.save} actions={actions} {...props}>
      <TextInput label={t.fields.name} {...form.getInputProps('name')} />
      <Group grow align="flex-start">
        <Select
          label={t.account.methodType}
          data={optionsOf(t.account.methodTypes)}
          {...form.getInputProps('method_type')}
        />
        <Select
          label={t.fields.currency}
          data={CURRENCIES}
          {...form.getInputProps('default_currency')}
        />
      </Group>
      {!method && !isCard(values) && (
        <MoneyInput
          label={t.account.hasNow}
          currency={values.default_currency}
          {...form.getInputProps('amount')}
        />
      )}
      {isCard(values) && <StatementInputs form={form} />}
      {(isCard(values) || method) && <PaidFromSelect form={form} method={method} />}
    </Form>
  );
}

type MethodFormState = UseFormReturnType<Values>;

/** The days on which the statements of a card close and are due. */
function StatementInputs({ form }: { form: MethodFormState }) {
  const { t } = useLocale();
  const texts = t.cards;
  return (
    <>
      <Select
        clearable
        searchable
        label={texts.closingDay}
        description={texts.closingText}
        placeholder={texts.noStatements}
        data={numbers(31)}
        {...form.getInputProps('closing_day')}
      />
      {hasStatements(form.values) && (
        <>
          <Group grow align="flex-start">
            <Select
              label={texts.dueKind}
              data={optionsOf(texts.dueKinds)}
              {...form.getInputProps('due')}
            />
            {form.values.due === 'day' ? (
              <Select
                searchable
                label={texts.dueDay}
                data={numbers(31)}
                {...form.getInputProps('due_day')}
              />
            ) : (
              <Select
                searchable
                label={texts.daysAfter}
                data={numbers(60)}
                {...form.getInputProps('due_days_after')}
              />
            )}
          </Group>
          <Select
            label={t.planning.template.weekend}
            data={optionsOf(t.planning.template.weekends)}
            {...form.getInputProps('due_weekend_rule')}
          />
        </>
      )}
    </>
  );
}

const numbers = (last: number): string[] => Array.from({ length: last }, (_, i) => `${i + 1}`);

interface PaidFromSelectProps {
  form: MethodFormState;
  method: Method | undefined;
}

function PaidFromSelect({ form, method }: PaidFromSelectProps) {
  const { t } = useLocale();
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const sources = methods.filter(
    ({ id, active, closing_day: day }) => active && day === null && id !== method?.id,
  );
  // Before there are accounts it is the main one of those to come.
  if (sources.length === 0) return null;
  return (
    <Select
      clearable
      label={t.cards.paidFromLabel}
      placeholder={t.cards.mainOne}
      data={sources.map(({ id, name }) => ({ value: id, label: name }))}
      {...form.getInputProps('paid_from_id')}
    />
  );
}
