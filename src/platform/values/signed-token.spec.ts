import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SignedTokens } from './signed-token.js';

const ID = '7f1c3a52-9d0e-4b7a-8c11-2f3e4d5c6b7a';
const SECRET = 'a secret of the service with 32 characters';
const tokens = new SignedTokens(SECRET, 'test');

afterEach(() => {
  jest.useRealTimers();
});

describe('a signed token', () => {
  it('a signed token has 43 characters of base64url and names its id', () => {
    const token = tokens.sign({ id: ID });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(tokens.idIn(token)).toBe(ID);
    expect(tokens.isValid(token)).toBe(true);
  });

  it('a signed token is valid with its context alone', () => {
    const token = tokens.sign({ id: ID }, 'ana@example.com');
    expect(tokens.isValid(token, 'ana@example.com')).toBe(true);
    expect(tokens.isValid(token, 'luis@example.com')).toBe(false);
    expect(tokens.isValid(token)).toBe(false);
  });

  it('a signed token ends when it expires', () => {
    jest.useFakeTimers({ now: Date.parse('2026-01-18T08:00:00Z') });
    const token = tokens.sign({ id: ID, expiresAt: new Date('2026-01-19T08:00:00Z') });
    jest.setSystemTime(Date.parse('2026-01-19T07:59:59Z'));
    expect(tokens.isValid(token)).toBe(true);
    jest.setSystemTime(Date.parse('2026-01-19T08:00:00Z'));
    expect(tokens.isValid(token)).toBe(false);
  });

  it('a signed token of another secret or purpose, or with another bit, is not valid', () => {
    const token = tokens.sign({ id: ID });
    for (const others of [
      new SignedTokens(SECRET, 'other'),
      new SignedTokens(`${SECRET}!`, 'test'),
    ]) {
      expect(others.isValid(token)).toBe(false);
    }
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(tokens.isValid(changed.toString('base64url'))).toBe(false);
    }
  });

  it.each([
    ['empty', ''],
    ['short', 'abc'],
    ['of other characters', 'ñ'.repeat(43)],
    ['long', 'a'.repeat(200)],
  ])('a text that is %s is no signed token', (_case, text) => {
    expect(tokens.idIn(text)).toBeUndefined();
    expect(tokens.isValid(text)).toBe(false);
  });
});
