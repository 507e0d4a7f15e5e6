/** Addresses in settings: the origins of applications, and servers. */
import { isURL, ValidateBy } from 'class-validator';

/**
 * The origin as browsers and web views send it in the Origin header, which is compared as text. The
 * URL class knows no origin of schemes such as `capacitor:`.
 */
function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.host || url.host.includes('*')) return undefined;
  if (['http:', 'https:'].includes(url.protocol)) return url.origin;
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : undefined;
}

const isOrigin = (text: string): boolean => originOf(text) === text;

export function IsOriginList(): PropertyDecorator {
  const messageFor = (text: string): string =>
    `"${text}" is not an origin such as ${originOf(text) ?? 'https://app.example.com'}`;
  return ValidateBy({
    name: 'isOriginList',
    validator: {
      validate: (list: string[]) => list.every(isOrigin),
      defaultMessage: (args) => {
        const invalid = (args?.value as string[]).filter((text) => !isOrigin(text));
        return `${args?.property ?? ''}: ${invalid.map(messageFor).join('; ')}`;
      },
    },
  });
}

/** Whether the address has no credentials, query or fragment. */
const isServerAddress = (text: string): boolean =>
  URL.canParse(text) &&
  isURL(text, {
    protocols: ['http', 'https'],
    require_protocol: true,
    require_tld: false,
    allow_underscores: true,
    allow_fragments: false,
    allow_query_components: false,
    disallow_auth: true,
  });

export const IsServerAddress = (example: string): PropertyDecorator =>
  ValidateBy({
    name: 'isServerAddress',
    validator: {
      validate: isServerAddress,
      defaultMessage: (args) => `${args?.property ?? ''} must be an address such as ${example}`,
    },
  });
