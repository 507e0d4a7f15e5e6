import { describe, expect, it } from '@jest/globals';
import { clientNetwork } from './client-network.js';

describe('clientNetwork', () => {
  it.each([
    '192.0.2.1',
    '192.0.2.1:50123',
    '[192.0.2.1]:50123',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '[::ffff:192.0.2.1]:50123',
    '64:ff9b::192.0.2.1',
    '64:ff9b::c000:201',
  ])('clientNetwork is the IPv4 address in %s', (address) => {
    expect(clientNetwork(address)).toBe('192.0.2.1');
  });

  it.each([
    '2001:db8:0:1::1',
    '2001:DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1::',
    '[2001:db8:0:1::1]',
    '[2001:db8:0:1::1]:50123',
    '2001:db8:0:1::1%eth0',
  ])('clientNetwork is the first 64 bits of %s', (address) => {
    expect(clientNetwork(address)).toBe('2001:db8:0:1::/64');
  });

  it('clientNetwork is another one where a bit of the first 64 differs', () => {
    expect(clientNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(clientNetwork('2001:db8::1:0:0:0:1')).toBe('2001:db8:0:1::/64');
  });

  it.each([
    '',
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '3221225985',
    '192.0.2.1:',
    '2001:db8::1::2',
    '[2001:db8::1]:',
    'fe80::1%eth0.1',
    'x'.repeat(100_000),
  ])('clientNetwork is unknown for a text that is not an address: %#', (text) => {
    expect(clientNetwork(text)).toBe('unknown');
  });
});
