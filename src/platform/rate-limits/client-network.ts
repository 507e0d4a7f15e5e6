import ipaddr from 'ipaddr.js';

/** The smallest network that providers assign to a customer. */
const IPV6_NETWORK_BITS = 64;
const BITS_PER_PART = 16;

const UNKNOWN = 'unknown';

/**
 * The network whose requests are counted together: an IPv4 address or the /64 network of an IPv6
 * address. Accepts a port after the address, as some proxies send it in `X-Forwarded-For`, and
 * IPv4-mapped IPv6 addresses.
 */
export function clientNetwork(address: string): string {
  const text = withoutPort(address);
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return UNKNOWN;
  const parsed = ipaddr.IPv6.parse(text);
  // IPv4-mapped or RFC 6052 addresses: as IPv6, all IPv4 clients would be in the same network.
  if (['ipv4Mapped', 'rfc6052'].includes(parsed.range())) {
    return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString();
  }
  const parts = parsed.parts.slice(0, IPV6_NETWORK_BITS / BITS_PER_PART);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${IPV6_NETWORK_BITS}`;
}

/** The address in `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]`. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return bracketed ?? dotted ?? address;
}
