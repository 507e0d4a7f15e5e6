import { describe, expect, it } from '@jest/globals';
import { ValidationFailedError } from './domain-error.js';

describe('the message of a ValidationFailedError', () => {
  const messageOf = (fields: Record<string, string[]>): string =>
    new ValidationFailedError(
      Object.fromEntries(
        Object.entries(fields).map(([field, messages]) => [
          field,
          messages.map((message) => ({ reason: 'malformed' as const, message })),
        ]),
      ),
    ).message;

  it('the message of a ValidationFailedError is the messages of all fields', () => {
    const fields = { name: ['name is required'], amount: ['amount is odd', 'amount is large'] };
    expect(messageOf(fields)).toBe('name is required; amount is odd; amount is large');
  });

  it('the message of a ValidationFailedError ends after the last message that fits into 300 characters', () => {
    const hundred = (letter: string): string => letter.repeat(98);
    const fields = { a: [hundred('a')], b: [hundred('b')], c: [hundred('c')] };
    const fitting = `${hundred('a')}; ${hundred('b')}; ${hundred('c')}`;
    expect(fitting).toHaveLength(298);
    expect(messageOf({ ...fields, d: ['d'] })).toBe(fitting);
    expect(messageOf({ ...fields, c: [`${hundred('c')}cc`], d: ['d'] })).toHaveLength(300);
    expect(messageOf({ ...fields, c: [`${hundred('c')}ccc`], d: ['d'] })).toBe(
      `${hundred('a')}; ${hundred('b')}`,
    );
  });

  it('the message of a ValidationFailedError is cut between characters where the first message alone does not fit', () => {
    const message = messageOf({ key: ['😀'.repeat(301)], name: ['name is required'] });
    expect(message).toBe(`${'😀'.repeat(299)}…`);
    expect(messageOf({ key: ['😀'.repeat(300)] })).toBe('😀'.repeat(300));
  });
});
