import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import * as library from '../../clients/typescript/src/index.js';
import { buyByCard, createCardHousehold } from '../support/card-household.js';
import type { Client } from '../support/client.js';
import { setTime } from '../support/clock.js';
import { createFortnightHousehold, stateBalance } from '../support/fortnight-household.js';
import { useService } from '../support/service.js';
import { exampleOf } from '../support/typescript-client.js';

describe('the examples of a household in the README of the TypeScript client', () => {
  const service = useService();
  afterAll(() => {
    jest.useRealTimers();
  });

  /** Runs the example of a name, and compares what it prints with the README. */
  async function expectDocumented(name: string, user: Client): Promise<void> {
    const client = new library.ExpenseClient({ baseUrl: service.origin, token: user.token });
    let printed = '';
    const console = { log: (line: string) => (printed += `${line}\n`) };
    // The names that it imports are those of the context.
    const code = exampleOf(name, 'ts').replace(/^import .*?;$/ms, '');
    await runInNewContext(`(async () => {${code}})()`, { ...library, client, console, Error });
    expect(printed).toBe(exampleOf(name, 'text'));
    expect(printed).not.toBe('');
  }

  it.each(['forecast', 'budgets', 'plan', 'recurrence', 'warnings'])(
    'the example of the %s in the README of the TypeScript client prints the documented output',
    async (name) => {
      setTime('2026-02-11T01:30:00Z');
      const user = await service.signUp({ time_zone: 'America/Mexico_City' });
      const { paymentMethodId } = await createFortnightHousehold(user);
      await stateBalance(user, paymentMethodId, '5000.00');
      await expectDocumented(name, user);
    },
  );

  it('the example of the card in the README of the TypeScript client prints the documented output', async () => {
    setTime('2026-04-02T18:00:00Z');
    const user = await service.signUp({ time_zone: 'America/Mexico_City' });
    const household = await createCardHousehold(user);
    await buyByCard(user, household, { amount: '100.00', date: '2026-03-12' });
    await buyByCard(user, household, { amount: '20.00', date: '2026-03-25' });
    await expectDocumented('card', user);
  });
});
