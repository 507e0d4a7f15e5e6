import { timeZoneInForce } from '../values/time-zone.js';
import { inLanguageOf, type InLanguages } from './language.js';
import type { Mail } from './mail.js';

/** A mail with a link, in a language. */
export interface LinkMailText {
  /** The language of the form of the date. */
  language: string;
  subject: string;
  paragraphs: (values: { email: string; link: string; until: string }) => string[];
}

/** The user to whom a mail goes. */
export interface Addressee {
  email: string;
  locale: string;
  timeZone: string;
}

/** A mail with a link that can be used for some time, which it gives in the time of the user. */
export function linkMail(
  { email, locale, timeZone }: Addressee,
  { link, expiresAt }: { link: string; expiresAt: Date },
  texts: InLanguages<LinkMailText>,
): Mail {
  const { language, subject, paragraphs } = inLanguageOf(locale, texts);
  const until = expiresAt.toLocaleString(language, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZoneName: 'short',
    timeZone: timeZoneInForce(timeZone),
  });
  const text = `${paragraphs({ email, link, until }).join('\n\n')}\n`;
  return { to: email, subject, text };
}
