/** Fields that several forms have. */
import type { Texts } from '../texts';
import type { Field } from './FieldsForm';

export const CURRENCIES = { USD: 'USD', MXN: 'MXN' };

export const emailField = ({ account: a }: Texts, value?: string): Field => ({
  ...{ label: a.email, type: 'email', autoComplete: 'username', value },
});

export const passwordField = ({ account: a }: Texts): Field => ({
  ...{ label: a.password, type: 'password', autoComplete: 'current-password' },
});

export const newPasswordField = ({ account: a }: Texts): Field => ({
  ...{ label: a.newPassword, type: 'password', autoComplete: 'new-password' },
  description: a.passwordText,
});

/** The zones that the browser knows, and the one that was chosen elsewhere. */
export function timeZoneField({ account: a }: Texts, value: string): Field {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', value])];
  const options = Object.fromEntries(zones.map((zone) => [zone, zone.replaceAll('_', ' ')]));
  return { label: a.timeZone, description: a.timeZoneText, value, options };
}
