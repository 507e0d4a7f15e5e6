import type { LinkMailText } from '../../platform/mail/link-mail.js';

export const ENGLISH: LinkMailText = {
  language: 'en-US',
  subject: 'Reset your password',
  paragraphs: ({ email, link, until }) => [
    'Hello,',
    `someone, probably you, has asked for a new password for the account ${email}. To choose it, open this link:`,
    link,
    `The link can be used once, until ${until}.`,
    'A new password ends all sessions and personal access tokens of the account.',
    'If it was not you, ignore this mail: your password stays as it is. Do not give the link to anybody.',
  ],
};
