/** Inputs of more than one form of the account. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useLocale } from '../locale';

export function EmailInput(props: TextInputProps) {
  const { t } = useLocale();
  return <TextInput type="email" autoComplete="username" label={t.account.email} {...props} />;
}

export function PasswordInput(props: TextInputProps) {
  const { t } = useLocale();
  const label = t.account.password;
  return <TextInput type="password" autoComplete="current-password" label={label} {...props} />;
}

export function NewPasswordInput(props: TextInputProps) {
  const texts = useLocale().t.account;
  return (
    <PasswordInput
      autoComplete="new-password"
      label={texts.newPassword}
      description={texts.passwordText}
      {...props}
    />
  );
}
