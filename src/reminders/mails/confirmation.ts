import { linkMail } from '../../platform/mail/link-mail.js';
import type { Mail } from '../../platform/mail/mail.js';
import type { User } from '../../users/user.entity.js';
import { ENGLISH } from './confirmation.en.js';
import { SPANISH } from './confirmation.es.js';

/** The mail with the link that confirms reminders, in Spanish or else in English. */
export const confirmationMail = (
  user: Pick<User, 'email' | 'locale' | 'timeZone'>,
  link: { link: string; expiresAt: Date },
): Mail => linkMail(user, link, { en: ENGLISH, es: SPANISH });
