import { PasswordInput, Select, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useForm, type FormRulesRecord } from '@mantine/form';
import { FormButtons, useSubmit } from '../components/forms';
import { useLocale } from '../locale';

export interface Field extends Pick<TextInputProps, 'description' | 'rightSection' | 'inputMode'> {
  label: string;
  /** The first value; empty if left out. */
  value?: string | undefined;
  type?: 'email' | 'password';
  autoComplete?: string;
  /** The labels of the values to choose from. */
  options?: Record<string, string>;
}

interface FieldsFormProps<Name extends string> {
  /** By their names in the API, so that its errors are shown at them. */
  fields: Record<Name, Field>;
  send: (values: Record<Name, string>) => Promise<unknown>;
  label: string;
  onCancel?: (() => void) | undefined;
  validate?: FormRulesRecord<Record<Name, string>>;
}

/** A form of texts and choices, one below the other. */
export function FieldsForm<Name extends string>(props: FieldsFormProps<Name>) {
  const { fields, send, validate, ...buttons } = props;
  const names = Object.keys(fields) as Name[];
  const values = names.map((name) => [name, fields[name].value ?? ''] as const);
  const form = useForm<Record<Name, string>>({
    initialValues: Object.fromEntries(values) as Record<Name, string>,
    ...(validate && { validate }),
  });
  const { save, ...state } = useSubmit(form, send);
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        {names.map((name) => (
          <Input key={name} {...fields[name]} {...form.getInputProps(name)} />
        ))}
      </Stack>
      <FormButtons {...buttons} {...state} />
    </form>
  );
}

function Input({ options, type, ...props }: Field & Pick<TextInputProps, 'error'>) {
  const { t } = useLocale();
  if (type === 'password') {
    return (
      <PasswordInput
        // Mantine marks only other inputs as invalid.
        aria-invalid={props.error ? true : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t.account.showPassword }}
        {...props}
      />
    );
  }
  if (!options) return <TextInput type={type ?? 'text'} rightSectionWidth={56} {...props} />;
  const data = Object.entries(options).map(([value, label]) => ({ value, label }));
  return <Select data={data} searchable={data.length > 9} allowDeselect={false} {...props} />;
}
