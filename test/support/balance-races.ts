/** Tests of balances that are stated beside other requests, for one process and for several. */
import { describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { Client } from './client.js';
import { race } from './races.js';
import { countOutcomes } from './response-counts.js';

interface StatedBalance {
  id: string;
  payment_method: { id: string };
  amount: string;
  expected: string | null;
}

interface Current {
  payment_methods: { payment_method: { id: string }; amount: string }[];
}

const BEFORE = '2026-02-01T12:00:00.000Z';
const PAID = '2026-02-02T12:00:00.000Z';
const STATED = '2026-02-03T12:00:00.000Z';

export function describeBalanceRaces(signUp: () => Promise<Client>, rounds: number): void {
  describe('balances that are stated at the same time as other requests', () => {
    let user: Client;

    const state = (amounts: Record<string, string>, stated_at = STATED): Test =>
      user.post('/balances', {
        balances: Object.entries(amounts).map(([payment_method_id, amount]) => ({
          payment_method_id,
          amount,
        })),
        stated_at,
      });

    const balancesOf = (response: Response | undefined): StatedBalance[] => {
      expect(response?.status).toBe(201);
      return (response?.body as { balances: StatedBalance[] }).balances;
    };

    /** A payment method that has 1000.00. */
    const methodWithBalance = async (): Promise<string> => {
      const { id } = await user.createPaymentMethod();
      await state({ [id]: '1000.00' }, BEFORE).expect(201);
      return id;
    };

    const currentOf = async (method: string): Promise<string | undefined> => {
      const { payment_methods } = await user.read<Current>('/balances/current');
      return payment_methods.find(({ payment_method: { id } }) => id === method)?.amount;
    };

    /**
     * The amounts in the order in which the balances were stated: each one expects what was stated
     * before it.
     */
    const chainOf = (balances: readonly StatedBalance[]): string[] => {
      const amounts = ['1000.00'];
      for (;;) {
        const next = balances.filter(({ expected }) => expected === amounts.at(-1));
        if (next.length !== 1 || !next[0] || amounts.length > balances.length) return amounts;
        amounts.push(next[0].amount);
      }
    };

    async function eachRound(test: () => Promise<void>): Promise<void> {
      user = await signUp();
      for (let round = 0; round < rounds; round += 1) await test();
    }

    it('beside a payment, expects what there was before or after it', () =>
      eachRound(async () => {
        const method = await methodWithBalance();
        const { id: cycle } = await user.createCycle({ income_amount: '0.00' });
        const { id } = await user.createExpense(cycle, { payment_method_id: method });
        const pay = user.put(`/cycles/${cycle}/expenses/${id}`, { paid: true, paid_at: PAID });
        const [stated, paid] = await race([state({ [method]: '950.00' }), pay]);
        expect(paid?.status).toBe(200);
        const [balance] = balancesOf(stated);
        expect(['1000.00', '900.00']).toContain(balance?.expected);
        // The payment is not later than the balance.
        expect(await currentOf(method)).toBe('950.00');
        const [next] = balancesOf(await state({ [method]: '1.00' }));
        expect(next?.expected).toBe('950.00');
        await user.delete(`/cycles/${cycle}`).expect(204);
      }));

    it('beside each other, expect one another in the order in which they are stored', () =>
      eachRound(async () => {
        const method = await methodWithBalance();
        const amounts = ['100.00', '200.00', '300.00', '400.00', '500.00'];
        const responses = await race(amounts.map((amount) => state({ [method]: amount })));
        const balances = responses.flatMap(balancesOf);
        const chain = chainOf(balances);
        expect({ balances, stored: [...chain].sort() }).toEqual({
          balances,
          stored: ['1000.00', ...amounts].sort(),
        });
        expect(await currentOf(method)).toBe(chain.at(-1));
      }));

    it('of several payment methods in any order, are all stored', () =>
      eachRound(async () => {
        const [a, b] = [await methodWithBalance(), await methodWithBalance()];
        const responses = await race(
          [1, 2, 3, 4, 5, 6].map((n) => {
            const amount = `${n}.00`;
            return state(n % 2 ? { [a]: amount, [b]: amount } : { [b]: amount, [a]: amount });
          }),
        );
        expect(countOutcomes(responses)).toEqual({ '201': 6 });
        const balances = responses.flatMap(balancesOf);
        const chainOfMethod = (method: string): string[] =>
          chainOf(balances.filter(({ payment_method: { id } }) => id === method));
        // Both are stated by each request at once, so in the same order.
        expect(chainOfMethod(a)).toHaveLength(7);
        expect(chainOfMethod(b)).toEqual(chainOfMethod(a));
        expect(await currentOf(a)).toBe(chainOfMethod(a).at(-1));
      }));

    it('beside the deletion of the balance before, expects that one or the one before it', () =>
      eachRound(async () => {
        const method = await methodWithBalance();
        const [last] = balancesOf(await state({ [method]: '700.00' }, PAID));
        const [stated, deleted] = await race([
          state({ [method]: '650.00' }),
          user.delete(`/balances/${last?.id}`),
        ]);
        expect(deleted?.status).toBe(204);
        const [balance] = balancesOf(stated);
        expect(['1000.00', '700.00']).toContain(balance?.expected);
        expect(await currentOf(method)).toBe('650.00');
      }));

    it('beside the deactivation of the payment method, is stored or refused', () =>
      eachRound(async () => {
        const method = await methodWithBalance();
        const [stated, deactivated] = await race([
          state({ [method]: '650.00' }),
          user.delete(`/payment-methods/${method}`),
        ]);
        expect(deactivated?.status).toBe(204);
        expect([201, 422]).toContain(stated?.status);
        expect(await currentOf(method)).toBeUndefined();
        await user.put(`/payment-methods/${method}`, { active: true }).expect(200);
        expect(await currentOf(method)).toBe(stated?.status === 201 ? '650.00' : '1000.00');
      }));
  });
}
