/** What entries and their templates have in common: how they are paid, and their budget. */
import { Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from 'expense-service-client';
import { optionsOf, RecordSelect } from '../components/inputs';
import { useLocale } from '../locale';
import type { Kind } from './entry';

interface Paid {
  payment_method: { id: string; name: string } | null;
  budget?: { id: string; name: string } | null;
  /** Of expenses only. */
  category?: Schemas['ExpenseCategory'];
}

/** The first values of the inputs. */
export const paymentValues = (record?: Paid) => ({
  payment_method_id: record?.payment_method?.id ?? null,
  budget_id: record?.budget?.id ?? null,
  category: record?.category ?? ('variable' as const),
});

interface PaymentInputsProps {
  /** The form that has the values. */
  form: { getInputProps: (name: string) => object };
  kind: Kind;
  record?: Paid | undefined;
  /** Below the payment method. */
  note?: ReactNode;
}

export function PaymentInputs({ form, kind, record, note }: PaymentInputsProps) {
  const texts = useLocale().t.fields;
  const isOut = kind === 'expense';
  return (
    <>
      <RecordSelect
        of="/payment-methods"
        label={texts.paymentMethod}
        description={note}
        present={record?.payment_method}
        clearable={!isOut}
        {...form.getInputProps('payment_method_id')}
      />
      <Group grow align="flex-start">
        <RecordSelect
          of="/budgets"
          label={texts.budget}
          description={isOut ? undefined : texts.refundOf}
          placeholder={texts.none}
          present={record?.budget}
          clearable
          {...form.getInputProps('budget_id')}
        />
        {isOut && (
          <Select
            label={texts.category}
            data={optionsOf({ fixed: texts.fixed, variable: texts.variable })}
            {...form.getInputProps('category')}
          />
        )}
      </Group>
    </>
  );
}
