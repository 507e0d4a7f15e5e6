import { describe, expect, it } from '@jest/globals';
import { applyReceipt, receiptContradictions } from './income-receipt.js';

const NOW = new Date('2026-02-01T12:00:00Z');
const THEN = new Date('2026-01-30T08:00:00Z');
const EXPECTED = { received: false, receivedAt: null };
const RECEIVED = { received: true, receivedAt: THEN };

describe('applyReceipt', () => {
  it('applyReceipt receives now, or at the time that is given', () => {
    expect(applyReceipt(EXPECTED, { received: true }, NOW)).toEqual({
      received: true,
      receivedAt: NOW,
    });
    expect(applyReceipt(EXPECTED, { received: true, receivedAt: THEN }, NOW)).toEqual(RECEIVED);
  });

  it('changes nothing if the income is in that state already', () => {
    expect(applyReceipt(RECEIVED, { received: true }, NOW)).toEqual(RECEIVED);
    expect(applyReceipt(RECEIVED, {}, NOW)).toEqual(RECEIVED);
    expect(applyReceipt(EXPECTED, { received: false }, NOW)).toEqual(EXPECTED);
    expect(applyReceipt(EXPECTED, {}, NOW)).toEqual(EXPECTED);
  });

  it('applyReceipt moves the time of what is received, and clears it', () => {
    expect(applyReceipt(RECEIVED, { receivedAt: NOW }, NOW).receivedAt).toBe(NOW);
    expect(applyReceipt(RECEIVED, { received: false }, NOW)).toEqual(EXPECTED);
  });

  it.each([
    [EXPECTED, { receivedAt: THEN }],
    [EXPECTED, { received: false, receivedAt: THEN }],
    [RECEIVED, { received: false, receivedAt: THEN }],
  ])('applyReceipt refuses a time without receipt: %j, %j', (current, change) => {
    expect(() => applyReceipt(current, change, NOW)).toThrow(
      'received_at is only for an income that is received',
    );
  });
});

it('receiptContradictions refuses a request that has a time and received: false', () => {
  const message = 'received_at is only for an income that is received';
  expect(receiptContradictions({ received: false, receivedAt: THEN })).toEqual({
    received_at: [{ reason: 'contradiction', message }],
  });
  for (const request of [{ receivedAt: THEN }, { received: true, receivedAt: THEN }, {}]) {
    expect(receiptContradictions(request)).toEqual({});
  }
});
