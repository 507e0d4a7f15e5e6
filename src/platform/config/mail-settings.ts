import { isEmail, isFQDN, ValidateBy } from 'class-validator';
import { domainToASCII } from 'node:url';

/** Who all mails are from. */
export interface Sender {
  /** Empty for none. */
  name: string;
  address: string;
}

/** A server that takes mails, by SMTP. */
export interface SmtpSettings {
  kind: 'smtp';
  host: string;
  /** Undefined: 587, or 465 with TLS from the start. */
  port?: number;
  /** TLS from the start; else STARTTLS where the server offers it. */
  isSecure: boolean;
  user?: string;
  password?: string;
  from: Sender;
  /** The name in the greeting of the service (EHLO): servers refuse the address of a container. */
  clientName: string;
}

/** Mails are printed, as in a sandbox. */
export interface PrintSettings {
  kind: 'print';
  print: (text: string) => void;
}

/** What takes the mails. */
export type MailSettings = SmtpSettings | PrintSettings;

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** Whether data that is sent there stays on this machine. */
export const isLocalHost = (host: string): boolean => LOCAL_HOSTS.includes(host);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** What is replaced with a token. */
const TOKEN_PLACEHOLDER = '{token}';

/** @param url of a page with `{token}` @param token in base64url, which needs no encoding */
export const linkWithToken = (url: string, token: string): string =>
  url.replace(TOKEN_PLACEHOLDER, token);

/** @param url that {@link IsSmtpUrl} accepts */
export function parseSmtpUrl(url: string): Omit<SmtpSettings, 'kind' | 'from' | 'clientName'> {
  const parsed = new URL(url);
  return {
    host: hostOf(parsed),
    port: parsed.port === '' ? undefined : Number(parsed.port),
    isSecure: parsed.protocol === 'smtps:',
    user: decodeURIComponent(parsed.username) || undefined,
    password: decodeURIComponent(parsed.password) || undefined,
  };
}

function isSmtpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.port === '0') return false;
  // The URL class escapes what is not ASCII in a host.
  if (hostOf(url) === '' || url.host.includes('%')) return false;
  if ((url.username === '') !== (url.password === '')) return false;
  if (![url.username, url.password].every(isDecodable)) return false;
  return ['', '/'].includes(url.pathname + url.search + url.hash);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The token must not decide which server a browser asks. */
function isTokenPage(text: string): boolean {
  if (text.split(TOKEN_PLACEHOLDER).length !== 2) return false;
  // Such a character ends the link in a mail, and the URL class removes some.
  if (/[\s<>"\p{Cc}]/u.test(text)) return false;
  const link = linkWithToken(text, 'a-token');
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (!url?.href.includes('a-token')) return false;
  if (url.username + url.password !== '') return false;
  if (url.origin !== new URL(linkWithToken(text, 'other')).origin) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(hostOf(url)));
}

/** The host of the public address, if that is a name of the DNS, else that of the sender. */
export function clientName(publicUrl: string | undefined, { address }: Sender): string {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
  return isFQDN(host) ? host : domainToASCII(address.slice(address.lastIndexOf('@') + 1));
}

/** @param text an address, or `Name <address>` */
export function parseSender(text: string): Sender {
  const [, name = '', address = text] = /^"?([^"]*?)"?\s*<(.+)>$/.exec(text) ?? [];
  return { name, address };
}

function isSender(text: string): boolean {
  const { name, address } = parseSender(text);
  return isEmail(address, { require_tld: false }) && !/\p{Cc}/u.test(name);
}

const Satisfies = (
  name: string,
  validate: (text: string) => boolean,
  rule: string,
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && validate(value),
      // Never with the value, which may have a password.
      defaultMessage: (args) => `${args?.property ?? ''} must be ${rule}`,
    },
  });

export const IsSmtpUrl = (): PropertyDecorator =>
  Satisfies(
    'isSmtpUrl',
    isSmtpUrl,
    'an address such as smtp://user:password@mail.example.com:587 or smtps://..., with user and password or neither',
  );

export const IsSender = (): PropertyDecorator =>
  Satisfies(
    'isSender',
    isSender,
    'an e-mail address, or one with a name: Gastos <gastos@example.com>',
  );

/** A page of the front end that takes the token of a link. @param path of the example */
export const IsTokenPage = (path: string): PropertyDecorator =>
  Satisfies(
    'isTokenPage',
    isTokenPage,
    `an https address (http on localhost) with {token} once, such as https://app.example.com${path}#{token}`,
  );
