/** Inputs of Mantine whose values are those of the API. */
import { useId, useState, type ReactNode } from 'react';
import { Chip, Group, Input, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { SelectProps, TextInputProps } from '@mantine/core';
import { DateInput, type DateInputProps } from '@mantine/dates';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { formatNumber, parseAmount } from 'expense-service-client';
import { queries, useQuery, type Currency } from '../api';
import { useLocale } from '../locale';
import { isAmount } from './rules';

export { isAmount, optionsOf, orNull, useRules } from './rules';

dayjs.extend(customParseFormat);

/** How days are written, and how else they can be typed. */
const DAY_FORMATS = {
  'en-US': ['MMM D, YYYY', 'M/D/YYYY', 'M-D-YYYY'],
  other: ['D MMM YYYY', 'D/M/YYYY', 'D-M-YYYY'],
};

export const CURRENCIES: Currency[] = ['USD', 'MXN'];

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As the API has it, or as it was typed while it is no amount. */
  value?: string | null;
  onChange?: (amount: string) => void;
  /** Left out: it is chosen with `currencyProps`. */
  currency?: Currency;
  /** The `getInputProps` of the currency. */
  currencyProps?: { value?: string; onChange?: (currency: string) => void };
}

export function MoneyInput({
  value,
  onChange,
  currency,
  currencyProps,
  ...props
}: MoneyInputProps) {
  const { t, locale } = useLocale();
  const amountOf = (typed: string) => parseAmount(typed, locale) ?? typed;
  const textOf = (amount = '') => (isAmount(amount) ? formatNumber(amount, locale) : amount);
  const [text, setText] = useState(textOf(value ?? ''));
  // The form may set another value than what was typed.
  const shown = amountOf(text) === (value ?? '') ? text : textOf(value ?? '');
  return (
    <TextInput
      inputMode="decimal"
      rightSectionWidth={currencyProps ? 116 : 48}
      rightSection={
        currencyProps ? (
          <SegmentedControl
            size="xs"
            aria-label={t.fields.currency}
            data={CURRENCIES}
            {...currencyProps}
          />
        ) : (
          <small className="muted">{currency ?? 'USD'}</small>
        )
      }
      {...props}
      value={shown}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange?.(amountOf(currentTarget.value));
      }}
    />
  );
}

/** The value is `YYYY-MM-DD`, or null. */
export function DayInput(props: DateInputProps) {
  const { locale, language } = useLocale();
  const formats = DAY_FORMATS[locale === 'en-US' ? 'en-US' : 'other'];
  function dateParser(text: string): string | null {
    const withoutZeros = text.replaceAll(/\b0(?=\d)/g, '');
    const date = dayjs(withoutZeros, [...formats, 'YYYY-M-D'], language, true);
    return date.isValid() ? date.format('YYYY-MM-DD') : null;
  }
  return (
    <DateInput
      valueFormat={formats[0]}
      dateParser={dateParser}
      {...props}
      value={props.value || null}
    />
  );
}

interface RecordSelectProps extends Omit<SelectProps, 'data'> {
  of: '/payment-methods' | '/budgets';
  /** That of what is edited, which may not be active. */
  present?: { id: string; name: string } | null | undefined;
}

/** One of the user's active records; with `clearable`, or none. */
export function RecordSelect({ of, present, ...props }: RecordSelectProps) {
  const { data = [] } = useQuery(queries.query(of, { params: { query: { active: true } } }));
  const others = data.filter(({ id }) => id !== present?.id);
  const all = [...(present ? [present] : []), ...others];
  return (
    <Select
      searchable={all.length > 9}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}

interface ChipsInputProps {
  label: string;
  data: { value: string; label: string }[];
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** One of a few values, each in sight. */
export function ChipsInput({ label, data, value = '', onChange, error }: ChipsInputProps) {
  const name = useId();
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Chip.Group value={value} onChange={(chosen: string) => onChange?.(chosen)}>
        <Group gap={8} mt={6} role="radiogroup" aria-label={label} data-chips>
          {data.map((each) => (
            <Chip key={each.value} name={name} value={each.value} variant="outline" radius={8}>
              {each.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
