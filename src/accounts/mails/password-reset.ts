import { linkMail } from '../../platform/mail/link-mail.js';
import type { Mail } from '../../platform/mail/mail.js';
import type { User } from '../../users/user.entity.js';
import { ENGLISH } from './password-reset.en.js';
import { SPANISH } from './password-reset.es.js';

/** The mail with the link that sets a new password, in Spanish or else in English. */
export const passwordResetMail = (
  user: Pick<User, 'email' | 'locale' | 'timeZone'>,
  link: { link: string; expiresAt: Date },
): Mail => linkMail(user, link, { en: ENGLISH, es: SPANISH });
