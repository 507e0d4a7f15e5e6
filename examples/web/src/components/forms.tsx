/** Forms whose fields show what the service says about them. */
import { useState, type ReactNode } from 'react';
import {
  Alert,
  Button,
  Drawer,
  Group,
  SegmentedControl,
  Select,
  TextInput,
  type SelectProps,
  type TextInputProps,
} from '@mantine/core';
import { DateInput, type DateInputProps } from '@mantine/dates';
import type { UseFormReturnType } from '@mantine/form';
import { fieldErrors, isApiError, messageOf, parseAmount } from 'expense-service-client';
import { queries, useQuery, type Currency } from '../api';
import { useLocale } from '../locale';

/** The days that fields take, as `YYYY-MM-DD`. */
export type Day = string;

/**
 * Sends a form. Errors go to the fields that they name, everything else above the buttons, and what
 * was typed stays. `save` is the handler of `onSubmit`.
 *
 * @param send throws what the client throws; its promise ends when the form can close
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
) {
  const { language } = useLocale();
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  const focusFirst = (errors: Record<string, unknown>) =>
    Object.keys(errors)
      .map((field) => form.getInputNode(field))
      .find((node) => node !== null)
      ?.focus();
  const save = form.onSubmit(async (values) => {
    setSaving(true);
    setProblem(undefined);
    try {
      await send(values);
    } catch (error) {
      const errors = fieldErrors(error, language);
      const shown = Object.keys(errors).filter((field) => form.getInputNode(field) !== null);
      form.setErrors(errors);
      if (shown[0] !== undefined) form.getInputNode(shown[0])?.focus();
      else setProblem(Object.values(errors)[0] ?? messageOf(error, language));
      if (isApiError(error, 'PRECONDITION_FAILED')) await queries.refresh();
    } finally {
      setSaving(false);
    }
  }, focusFirst);

  return { save, problem, isSaving };
}

interface FormButtonsProps {
  label: string;
  problem: string | undefined;
  isSaving: boolean;
  onCancel?: () => void;
  /** Before the others, at the start of the line. */
  children?: ReactNode;
}

export function FormButtons({ label, problem, isSaving, onCancel, children }: FormButtonsProps) {
  const { t } = useLocale();
  return (
    <>
      {problem && (
        <Alert color="red" role="alert" mt="md">
          {problem}
        </Alert>
      )}
      <Group mt="lg" justify="flex-end">
        {children}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t.do.cancel}
          </Button>
        )}
        <Button type="submit" aria-busy={isSaving} disabled={isSaving}>
          {isSaving ? t.do.saving : label}
        </Button>
      </Group>
    </>
  );
}

/** The amount as the API takes it, or the text as it is, which the API refuses with a reason. */
export const amountOf = (text: string, locale: string): string => parseAmount(text, locale) ?? text;

interface MoneyFieldProps extends TextInputProps {
  currency: Currency;
  /** Left out: the currency cannot be chosen. */
  onCurrencyChange?: (currency: Currency) => void;
}

/** An amount as the user's locale writes it, and its currency. */
export function MoneyField({ currency, onCurrencyChange, ...props }: MoneyFieldProps) {
  const { t } = useLocale();
  return (
    <TextInput
      label={t.fields.amount}
      inputMode="decimal"
      autoComplete="off"
      rightSectionWidth={onCurrencyChange ? 116 : 48}
      rightSection={
        onCurrencyChange ? (
          <SegmentedControl
            size="xs"
            aria-label={t.fields.currency}
            data={['USD', 'MXN']}
            value={currency}
            onChange={(value) => onCurrencyChange(value as Currency)}
          />
        ) : (
          <span className="detail muted">{currency}</span>
        )
      }
      {...props}
    />
  );
}

/** A day, typed or chosen, as the user's locale writes it. */
export function DayField(props: DateInputProps) {
  const { locale, t } = useLocale();
  return (
    <DateInput
      label={t.fields.date}
      valueFormat={locale === 'en-US' ? 'MMM D, YYYY' : 'D MMM YYYY'}
      popoverProps={{ withinPortal: true }}
      {...props}
    />
  );
}

interface RecordSelectProps extends SelectProps {
  of: '/payment-methods' | '/budgets';
  /** What the edited record has, which may be inactive. */
  present?: { id: string; name: string } | null;
}

/** One of the user's active payment methods or budgets. */
export function RecordSelect({ of, present, ...props }: RecordSelectProps) {
  const active = useQuery(queries.query(of, { params: { query: { active: true } } })).data ?? [];
  const others = active.filter(({ id }) => id !== present?.id);
  const data = [...(present ? [present] : []), ...others];
  return <Select data={data.map(({ id, name }) => ({ value: id, label: name }))} {...props} />;
}

interface FormDrawerProps {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form at the side of the page. */
export function FormDrawer({ title, opened, onClose, children }: FormDrawerProps) {
  const { t } = useLocale();
  return (
    <Drawer
      {...{ title, opened, onClose }}
      position="right"
      closeButtonProps={{ 'aria-label': t.do.close }}
    >
      {/* What is edited is gone while the drawer closes. */}
      {opened && children}
    </Drawer>
  );
}
