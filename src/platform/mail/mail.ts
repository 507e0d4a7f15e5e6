import { createTransport } from 'nodemailer';
import {
  isLocalHost,
  type MailSettings,
  type PrintSettings,
  type SmtpSettings,
} from '../config/mail-settings.js';

/** A mail in plain text to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Where mail applications end further mails with one POST (RFC 8058); undefined: nowhere. */
  unsubscribeUrl?: string;
}

/**
 * Sends a mail.
 *
 * @param signal closes the connection to the server
 * @throws NodemailerError
 */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<unknown>;

/** The limit of each step: the name of the server, the connection, its greeting, each response. */
const STEP_TIMEOUT_MS = 10_000;

export const sendMailWith = (settings: MailSettings): SendMail =>
  settings.kind === 'smtp' ? sendBySmtp(settings) : printTo(settings);

/**
 * Sends by SMTP: encrypted from the start, or with STARTTLS where the server offers it. With a
 * password it must offer it, unless it is on this machine, whose certificate is not verified.
 */
function sendBySmtp(settings: SmtpSettings): SendMail {
  const { host, port, isSecure, user, password, from, clientName } = settings;
  const isLocal = isLocalHost(host);
  const transport = createTransport({
    ...{ host, port, secure: isSecure, name: clientName },
    requireTLS: !isSecure && password !== undefined && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    ...(password !== undefined && { auth: { user, pass: password }, forceAuth: true }),
    dnsTimeout: STEP_TIMEOUT_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return ({ to, subject, text, unsubscribeUrl }, signal) =>
    transport.sendMail({
      from,
      // Not as text, which could name several.
      to: { name: '', address: to },
      subject,
      text,
      // Quoted-printable would break a link over lines, which some clients do not mend.
      textEncoding: 'base64',
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
      signal,
    });
}

const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const printTo =
  ({ print }: PrintSettings): SendMail =>
  ({ to, subject, text }) => {
    print(`\nTo: ${to}\nSubject: ${subject}\n\n${text}`);
    return Promise.resolve();
  };
