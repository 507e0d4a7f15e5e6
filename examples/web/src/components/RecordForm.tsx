/** A form of fields that have the names of the API, whose errors are shown at them. */
import { useId, useState, type ReactNode } from 'react';
import { Alert, Button, Chip, Group, Input, SegmentedControl } from '@mantine/core';
import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { useForm } from '@mantine/form';
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import {
  fieldErrors,
  formatNumber,
  isApiError,
  messageOf,
  parseAmount,
} from 'expense-service-client';
import { queries, useQueryList, type Currency } from '../api';
import { useLocale } from '../locale';
import { WriteButtons, type WriteAction } from '../write';

dayjs.extend(customParseFormat);

/** How days are written, and how else they can be typed. */
const DAY_FORMATS = {
  'en-US': ['MMM D, YYYY', 'M/D/YYYY', 'M-D-YYYY'],
  other: ['D MMM YYYY', 'D/M/YYYY', 'D-M-YYYY'],
};

/** A description below its input. */
export const BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

export interface Field<Body> {
  /** Left out: the field has a value and is not shown. */
  label?: string;
  /** The first value, as the API has it. */
  value?: string | null | undefined;
  /** The value of a switch is `true` or `false`; it is sent as a boolean. */
  kind?: 'text' | 'email' | 'password' | 'notes' | 'money' | 'day' | 'switch' | 'chips';
  /** The labels of the values to choose from. */
  options?: Record<string, string> | ((body: Body) => Record<string, string>);
  /** One of the user's active records; `present` is that of what is edited, which may not be. */
  of?: '/payment-methods' | '/budgets';
  present?: { id: string; name: string } | null;
  /** Of an amount: the field with its currency. */
  currency?: keyof Body & string;
  /** Of an amount whose currency is chosen elsewhere; dollars if left out. */
  unit?: (body: Body) => Currency;
  /** Whether it may be empty, which is sent as `null`. */
  optional?: boolean | ((body: Body) => boolean);
  /** Whether it is shown and sent. */
  when?: (body: Body) => boolean;
  description?: ReactNode | ((body: Body) => ReactNode);
  /** Of half the width. */
  half?: boolean;
  /** Of a third of the width, in large type with the focus, or small in a box of its own. */
  look?: 'third' | 'large' | 'fact';
  placeholder?: string;
  autoComplete?: string;
}

export type Fields<Body> = { [Name in keyof Body]?: Field<Body> };

interface RecordFormProps<Body> {
  fields: Fields<Body>;
  /** Throws what the client throws, or a `FieldError`. */
  send: (body: Body, isAnother: boolean) => Promise<unknown>;
  /** Of the button that sends; left out: nothing can be sent. */
  label?: string | ((body: Body) => string | undefined) | undefined;
  /** Of a second button that sends, to go on with another one. */
  another?: string;
  onCancel?: (() => void) | undefined;
  /** What can be done with the record besides changing its fields. */
  actions?: WriteAction[];
  /** Between the fields and the buttons. */
  children?: (body: Body, set: (name: keyof Body & string, value: string) => void) => ReactNode;
}

/** What is wrong with a field before anything is sent. */
export class FieldError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Errors go to the fields that they name, all others above the buttons; what was typed stays. */
export function RecordForm<Body extends object>(props: RecordFormProps<Body>) {
  const { fields, send, label, another, onCancel, actions, children } = props;
  const { t, locale, language } = useLocale();
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const all = Object.entries(fields) as [string, Field<Body>][];
  const firstValue = ({ kind, value }: Field<Body>): string =>
    kind === 'money' && value ? formatNumber(value, locale) : (value ?? '');
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(all.map(([name, field]) => [name, firstValue(field)])),
    validate: (values) =>
      Object.fromEntries(
        shown.map(([name, field]) => [name, mistakeIn(field, values[name] ?? '')]),
      ),
  });
  const valueOf = (name: string, { kind }: Field<Body>): string | boolean | null => {
    const text = form.values[name] ?? '';
    if (kind === 'switch') return text === 'true';
    // What is no amount is sent as it is, and refused with a reason.
    return (kind === 'money' ? (parseAmount(text, locale) ?? text) : text) || null;
  };
  const bodyOf = (list: typeof all): Body =>
    Object.fromEntries(list.map(([name, field]) => [name, valueOf(name, field)])) as Body;
  const body = bodyOf(all);
  const inputProps = (name: string) => form.getInputProps(name) as InputProps;
  const shown = all.filter(([, { when }]) => when?.(body) ?? true);

  function mistakeIn({ label: isShown, kind, optional }: Field<Body>, text: string) {
    const mayBeEmpty = typeof optional === 'function' ? optional(body) : optional;
    if (!isShown || (mayBeEmpty && !text)) return null;
    if (!text.trim()) return t.fields.required;
    return kind === 'money' && !parseAmount(text, locale) ? t.fields.invalidAmount : null;
  }

  function focusFirst(errors: Record<string, unknown>): boolean {
    const nodes = Object.keys(errors).map((name) => form.getInputNode(name));
    const first = nodes.find((node) => node !== null);
    first?.focus();
    return first !== undefined;
  }

  async function show(error: unknown): Promise<void> {
    const errors =
      error instanceof FieldError ? { [error.field]: error.message } : fieldErrors(error, language);
    form.setErrors(errors);
    if (!focusFirst(errors)) setProblem(Object.values(errors)[0] ?? messageOf(error, language));
    if (isApiError(error, 'PRECONDITION_FAILED')) await queries.refresh();
  }

  const save = (isAnother: boolean) =>
    form.onSubmit(async () => {
      setSaving(true);
      setProblem(undefined);
      await send(bodyOf(shown), isAnother).catch(show);
      setSaving(false);
    }, focusFirst);
  const labelText = typeof label === 'function' ? label(body) : label;

  return (
    <form onSubmit={save(false)} noValidate>
      <div className="fields">
        {shown
          .filter(([, { label: isShown }]) => isShown)
          .map(([name, field]) => {
            const { description, options, currency, unit } = field;
            return (
              <FieldInput
                key={name}
                {...inputProps(name)}
                field={field as Field<object>}
                options={typeof options === 'function' ? options(body) : options}
                description={typeof description === 'function' ? description(body) : description}
                currency={currency && inputProps(currency)}
                unit={unit?.(body)}
              />
            );
          })}
      </div>
      {children?.(body, (name, value) => form.setFieldValue(name as string, value))}
      {problem && <Alert color="red" role="alert" mt="md" children={problem} />}
      <Group className="form-end" justify="flex-end">
        {actions && <WriteButtons actions={actions} />}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t.do.cancel}
          </Button>
        )}
        {another && (
          <Button variant="default" disabled={isSaving} onClick={() => save(true)()}>
            {another}
          </Button>
        )}
        {labelText && (
          <Button type="submit" aria-busy={isSaving} disabled={isSaving}>
            {isSaving ? t.do.saving : labelText}
          </Button>
        )}
      </Group>
    </form>
  );
}

interface InputProps {
  field: Field<object>;
  /** Those of the field that depend on what is typed. */
  description: ReactNode;
  options: Record<string, string> | undefined;
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  /** The choice of the currency of an amount. */
  currency?: { value: string; onChange: (value: string) => void } | undefined;
  unit: Currency | undefined;
}

function FieldInput(props: InputProps) {
  const { field, options, currency, unit = 'USD', value, onChange, ...state } = props;
  const { t, locale, language } = useLocale();
  const { kind, of, present, optional, placeholder, autoComplete } = field;
  const group = useId();
  const records = useRecords(of, present);
  const common = {
    ...{ label: field.label, placeholder, value, ...state },
    className: field.half ? 'half' : field.look,
    ...(field.look && { inputWrapperOrder: BELOW }),
    ...(field.look === 'fact' && { rightSectionWidth: 14 }),
    ...(field.look === 'large' && { autoFocus: true, 'data-autofocus': true }),
  };
  const typed = {
    ...{ ...common, autoComplete: autoComplete ?? 'off' },
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const chosen = {
    ...{ ...common, clearable: optional === true, allowDeselect: false },
    onChange: (next: string | null) => onChange(next ?? ''),
  };
  const data =
    records ?? (options && Object.entries(options).map(([key, label]) => ({ value: key, label })));
  if (kind === 'chips') {
    return (
      <Input.Wrapper {...{ label: field.label, labelElement: 'div', ...state }}>
        <Chip.Group {...{ value, onChange }}>
          <Group gap={8} mt={6} role="radiogroup" aria-label={field.label} data-chips>
            {data?.map((each) => (
              <Chip key={each.value} name={group} value={each.value} variant="outline" radius={8}>
                {each.label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
    );
  }
  if (data) return <Select data={data} searchable={data.length > 9} {...chosen} />;
  if (kind === 'switch') {
    return (
      <Switch
        {...{ ...common, value: undefined, checked: value === 'true' }}
        onChange={({ currentTarget: { checked } }) => onChange(String(checked))}
      />
    );
  }
  if (kind === 'notes') return <Textarea autosize {...typed} />;
  if (kind === 'day') {
    const formats = DAY_FORMATS[locale === 'en-US' ? 'en-US' : 'other'];
    const dateParser = (text: string) => {
      const withoutZeros = text.replaceAll(/\b0(?=\d)/g, '');
      const date = dayjs(withoutZeros, [...formats, 'YYYY-M-D'], language, true);
      return date.isValid() ? date.format('YYYY-MM-DD') : null;
    };
    const day = { ...chosen, value: value || null, valueFormat: formats[0], dateParser };
    return <DateInput {...day} />;
  }
  if (kind !== 'money') return <TextInput type={kind ?? 'text'} {...typed} />;
  const currencies = ['USD', 'MXN'];
  return (
    <TextInput
      {...{ ...typed, inputMode: 'decimal', rightSectionWidth: currency ? 116 : 48 }}
      rightSection={
        currency ? (
          <SegmentedControl
            {...{ size: 'xs', 'aria-label': t.fields.currency, data: currencies, ...currency }}
          />
        ) : (
          <small className="muted">{unit}</small>
        )
      }
    />
  );
}

/** The user's active records to choose from; undefined for another kind of field. */
function useRecords(of: Field<object>['of'], present: Field<object>['present']) {
  const active = { params: { query: { active: true } } };
  const [state] = useQueryList(of ? [queries.query(of, active)] : []);
  if (!of) return undefined;
  const others = (state?.data ?? []).filter(({ id }) => id !== present?.id);
  return [...(present ? [present] : []), ...others].map(({ id, name }) => ({
    value: id,
    label: name,
  }));
}

export { ChangedElsewhere, FormDrawer } from './FormDrawer';
