/** Inputs of more than one form of the account. */
import { Select, TextInput, type SelectProps, type TextInputProps } from '@mantine/core';
import { useLocale } from '../locale';

export function EmailInput(props: TextInputProps) {
  const { t } = useLocale();
  return <TextInput type="email" autoComplete="username" label={t.account.email} {...props} />;
}

export function NewPasswordInput(props: TextInputProps) {
  const { t } = useLocale();
  return (
    <TextInput
      type="password"
      autoComplete="new-password"
      label={t.account.newPassword}
      description={t.account.passwordText}
      {...props}
    />
  );
}

/** The zones that the browser knows, and the one that was chosen elsewhere. */
export function TimeZoneSelect(props: SelectProps & { present: string }) {
  const { present, ...others } = props;
  const { t } = useLocale();
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', present]);
  return (
    <Select
      searchable
      label={t.account.timeZone}
      description={t.account.timeZoneText}
      data={[...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      {...others}
    />
  );
}
