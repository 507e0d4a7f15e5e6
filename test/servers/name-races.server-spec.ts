import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { CyclePageResponse, CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { PaymentMethodResponse } from '../../src/payment-methods/dto/payment-method.dto.js';
import { TEST_PASSWORD, uniqueName, type Client } from '../support/client.js';
import { race, repeat, useReplicas } from '../support/races.js';
import { repetitions } from '../support/repetitions.js';
import { isSuccess, countOutcomes } from '../support/response-counts.js';

const ROUNDS = repetitions(6);
const AT_ONCE = 8;

describe('concurrent requests to two processes for a unique value', () => {
  const replicas = useReplicas();

  afterEach(() => replicas.expectIntegrity());

  const CARD = { method_type: 'debit', default_currency: 'USD' };
  const PERIOD = { start_date: '2026-01-19', end_date: '2026-03-01', income_amount: '5000.00' };

  const winnerOf = (responses: readonly Response[]): unknown => responses.find(isSuccess)?.body;

  /** Expects the refusals to say who has the name. */
  function expectWinnerNamed(responses: readonly Response[], resource: string): void {
    const { id } = winnerOf(responses) as { id: string };
    for (const { status, body } of responses) {
      if (status !== 409) continue;
      const { error } = body as { error: { details: object } };
      expect(error.details).toEqual({ resource, id, active: true });
    }
  }

  const methodNames = async (user: Client): Promise<string[]> =>
    (await user.read<PaymentMethodResponse[]>('/payment-methods')).map(({ name }) => name);

  const cycleNames = async (user: Client): Promise<string[]> => {
    const { cycles } = await user.read<CyclePageResponse>('/cycles?per_page=100');
    return cycles.map(({ name }) => name);
  };

  it('concurrent requests to two processes for a unique value create one payment method of a name, and return its id to the others', async () => {
    const user = await replicas.signUp();
    const retries = await replicas.retries();
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = uniqueName('Contested');
      const responses = await race(
        repeat(AT_ONCE, () => user.post('/payment-methods', { ...CARD, name })),
      );
      expect(countOutcomes(responses)).toEqual({ '201': 1, '409 RESOURCE_CONFLICT': AT_ONCE - 1 });
      expectWinnerNamed(responses, 'payment_method');
      expect((await methodNames(user)).filter((one) => one === name)).toEqual([name]);
    }
    expect(await replicas.retries()).toBe(retries);
  });

  it('concurrent requests to two processes for a unique value create one cycle of a name, and generate its expenses once', async () => {
    const user = await replicas.signUp();
    await user.createTemplate();
    const retries = await replicas.retries();
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = uniqueName('Contested');
      const responses = await race(
        repeat(AT_ONCE, () => user.post('/cycles', { ...PERIOD, name })),
      );
      expect(countOutcomes(responses)).toEqual({ '201': 1, '409 CYCLE_NAME_EXISTS': AT_ONCE - 1 });
      const { id } = winnerOf(responses) as CycleResponse;
      expect(await user.cycle(id)).toMatchObject({
        remaining_balance: '2600.00',
        summary: { expense_count: 2, total_expenses: '2400.00' },
      });
      expect(await user.activity(`cycle_id=${id}`)).toHaveLength(3);
    }
    expect(new Set(await cycleNames(user)).size).toBe(Math.min(ROUNDS, 100));
    expect(await replicas.retries()).toBe(retries);
  });

  it('concurrent requests to two processes for a unique value create one cycle with the name of a deleted cycle', async () => {
    const user = await replicas.signUp();
    const name = uniqueName('Passed on');
    let { id } = await user.createCycle({ name });
    for (let round = 0; round < ROUNDS; round += 1) {
      const [deletion, ...creations] = await race([
        user.delete(`/cycles/${id}`),
        ...repeat(AT_ONCE, () => user.post('/cycles', { ...PERIOD, name })),
      ]);
      expect(deletion?.status).toBe(204);
      const created = creations.filter(isSuccess);
      expect(countOutcomes(creations)).toEqual({
        ...(created.length > 0 && { '201': 1 }),
        '409 CYCLE_NAME_EXISTS': AT_ONCE - created.length,
      });
      const holder = created[0]?.body as CycleResponse | undefined;
      expect(await cycleNames(user)).toEqual(holder ? [name] : []);
      id = (holder ?? (await user.createCycle({ name }))).id;
    }
  });

  it('concurrent requests to two processes for a unique value refuse to swap two names', async () => {
    const user = await replicas.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const methods = [await user.createPaymentMethod(), await user.createPaymentMethod()];
      const swapped = methods.map(({ id }, n) =>
        user.put(`/payment-methods/${id}`, { name: methods[1 - n]?.name }),
      );
      expect(countOutcomes(await race(swapped))).toEqual({ '409 RESOURCE_CONFLICT': 2 });

      const cycles = [await user.createCycle(), await user.createCycle()];
      const renamed = cycles.map(({ id }, n) =>
        user.put(`/cycles/${id}`, { name: cycles[1 - n]?.name }),
      );
      expect(countOutcomes(await race(renamed))).toEqual({ '409 CYCLE_NAME_EXISTS': 2 });
    }
  });

  it.each(['payment_method', 'budget'] as const)(
    'concurrent requests to two processes for a unique value rename one %s, and return its id to the others',
    async (resource) => {
      const user = await replicas.signUp();
      const records: { id: string }[] = [];
      for (let n = 0; n < AT_ONCE; n += 1) {
        const isBudget = resource === 'budget';
        records.push(await (isBudget ? user.createBudget() : user.createPaymentMethod()));
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = uniqueName('Contested');
        const responses = await race(
          records.map(({ id }) => user.put(`/${resource.replace('_', '-')}s/${id}`, { name })),
        );
        expect(countOutcomes(responses)).toEqual({
          '200': 1,
          '409 RESOURCE_CONFLICT': AT_ONCE - 1,
        });
        expectWinnerNamed(responses, resource);
      }
    },
  );

  it('concurrent requests to two processes for a unique value return the holder of a name also while it is renamed', async () => {
    const user = await replicas.signUp();
    const holder = await user.createPaymentMethod();
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = uniqueName('Given up');
      await user.put(`/payment-methods/${holder.id}`, { name }).expect(200);
      const [, ...responses] = await race([
        user.put(`/payment-methods/${holder.id}`, { name: uniqueName('Another') }),
        ...repeat(AT_ONCE, () => user.post('/payment-methods', { ...CARD, name })),
      ]);
      const winner = winnerOf(responses) as PaymentMethodResponse | undefined;
      for (const { status, body } of responses) {
        if (status === 201) continue;
        const { error } = body as { error: { code: string; details: { id: string } } };
        expect(error.code).toBe('RESOURCE_CONFLICT');
        expect([holder.id, winner?.id]).toContain(error.details.id);
      }
    }
  });

  it('concurrent requests to two processes for a unique value register an e-mail once, and create one household', async () => {
    const households = async (): Promise<unknown[]> => replicas.query('SELECT id FROM households');
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = (await households()).length;
      const email = `${uniqueName('contested').replace(' ', '-')}@example.com`;
      const spelled = [email, email.toUpperCase()];
      const responses = await race(
        repeat(AT_ONCE / 2, (n) =>
          replicas.anonymous.post('/auth/register', {
            email: spelled[n % 2],
            password: TEST_PASSWORD,
          }),
        ),
      );
      expect(countOutcomes(responses)).toEqual({
        '201': 1,
        '409 USER_ALREADY_EXISTS': AT_ONCE / 2 - 1,
      });
      expect((await households()).length).toBe(before + 1);
    }
  });

  it('concurrent requests to two processes for a unique value change a password once by requests with the old one', async () => {
    let user = await replicas.signUp();
    let current = TEST_PASSWORD;
    for (let round = 0; round < ROUNDS; round += 1) {
      const words = ['one', 'two', 'three'].map((word) => `new word ${round} ${word}`);
      const responses = await race(
        words.map((word) =>
          user.put('/auth/me/password', { current_password: current, new_password: word }),
        ),
      );
      const { '200': changes, ...refusals } = countOutcomes(responses);
      expect(changes).toBe(1);
      // The change ends the session of the other requests.
      const { '400 INCORRECT_PASSWORD': wrong = 0, '401 INVALID_TOKEN': ended = 0 } = refusals;
      expect(wrong + ended).toBe(words.length - 1);
      current = words[responses.findIndex(isSuccess)] ?? '';
      user = await replicas.signIn(user.email, current);
    }
  });
});
