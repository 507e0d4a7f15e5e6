/** What the values of forms must be. The pages before the sign-in need no more than this. */
import { useLocale } from '../locale';

/** Whether it is an amount as the API has it. */
export const isAmount = (text: string | null | undefined): text is string =>
  /^-?\d+\.\d\d$/.test(text ?? '');

/** An empty text as the API has it. */
export const orNull = (text: string | null): string | null => text || null;

/** The labels of values, as Mantine takes them. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

/** For `validate` of a form. */
export function useRules() {
  const { t } = useLocale();
  return {
    required: (value: string | null | undefined) => (value?.trim() ? null : t.fields.required),
    amount: (value: string | null | undefined) => {
      if (!value) return t.fields.required;
      return isAmount(value) ? null : t.fields.invalidAmount;
    },
    optionalAmount: (value: string | null | undefined) =>
      !value || isAmount(value) ? null : t.fields.invalidAmount,
  };
}
