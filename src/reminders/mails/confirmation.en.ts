import type { LinkMailText } from '../../platform/mail/link-mail.js';

export const ENGLISH: LinkMailText = {
  language: 'en-US',
  subject: 'Confirm your reminders',
  paragraphs: ({ email, link, until }) => [
    'Hello,',
    `someone, probably you, has turned on reminders for the account ${email}: at most one mail a day, on days when something is due. To receive them at this address, open this link:`,
    link,
    `The link can be used once, until ${until}. No reminder is sent before.`,
    'If it was not you, ignore this mail: no reminder is sent.',
  ],
};
