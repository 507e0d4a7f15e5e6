import { describe, expect, it } from '@jest/globals';
import { confirmationMail } from './reminder-confirmation.js';

const LINK = 'https://planner.example.com/reminders?token=abc';
const EXPIRES_AT = new Date('2026-11-26T14:00:00Z');

const mailOf = (
  locale: string,
  timeZone = 'America/Mexico_City',
): ReturnType<typeof confirmationMail> =>
  confirmationMail(
    { email: 'lucia@example.com', locale, timeZone },
    { link: LINK, expiresAt: EXPIRES_AT },
  );

describe('the mail that confirms reminders', () => {
  it('has the link and until when it can be used, in English', () => {
    expect(mailOf('en-US')).toEqual({
      to: 'lucia@example.com',
      subject: 'Confirm your reminders',
      text: `Hello,

someone, probably you, has turned on reminders for the account lucia@example.com: at most one mail a day, on days when something is due. To receive them at this address, open this link:

${LINK}

The link can be used once, until November 26, 2026 at 8:00 AM CST. No reminder is sent before.

If it was not you, ignore this mail: no reminder is sent.
`,
    });
  });

  it('has the link and until when it can be used, in Spanish', () => {
    expect(mailOf('es-MX')).toEqual({
      to: 'lucia@example.com',
      subject: 'Confirma tus recordatorios',
      text: expect.stringContaining(`abre este enlace:

${LINK}

El enlace se puede usar una sola vez, hasta el 26 de noviembre de 2026`),
    });
  });

  it('is in English for other locales, and in UTC for zones that do not exist', () => {
    expect(mailOf('de-DE').subject).toBe('Confirm your reminders');
    expect(mailOf('en', 'Mars/Phobos').text).toContain('until November 26, 2026 at 2:00 PM UTC.');
  });
});
