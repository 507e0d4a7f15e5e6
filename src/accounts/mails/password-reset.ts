import type { Mail } from '../../platform/mail/mail.js';
import { timeZoneInForce } from '../../platform/values/time-zone.js';
import type { User } from '../../users/user.entity.js';
import { ENGLISH } from './password-reset.en.js';
import { SPANISH } from './password-reset.es.js';

/** The mail in a language. */
export interface PasswordResetText {
  /** The language of the form of the date. */
  language: string;
  subject: string;
  paragraphs: (values: { email: string; link: string; until: string }) => string[];
}

/** The mail with the link that sets a new password, in Spanish or else in English. */
export function passwordResetMail(
  { email, locale, timeZone }: Pick<User, 'email' | 'locale' | 'timeZone'>,
  { link, expiresAt }: { link: string; expiresAt: Date },
): Mail {
  const { language, subject, paragraphs } = /^es/i.test(locale) ? SPANISH : ENGLISH;
  const until = expiresAt.toLocaleString(language, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZoneName: 'short',
    timeZone: timeZoneInForce(timeZone),
  });
  const text = `${paragraphs({ email, link, until }).join('\n\n')}\n`;
  return { to: email, subject, text };
}
