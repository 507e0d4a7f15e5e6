/** Tests of statements that change beside other requests, for one process and for several. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import type { CardStatementResponse } from '../../src/cards/dto/card-statement.dto.js';
import { monthDayBefore } from '../../src/payment-methods/statement-dates.js';
import { addDays, todayInUtc } from '../../src/platform/values/calendar-date.js';
import type { Client } from './client.js';
import { passMidnight } from './clock.js';
import { race } from './races.js';

interface ClosedStatement {
  cardId: string;
  cycleId: string;
  closing: string;
  path: string;
}

export function describeCardRaces(signUp: () => Promise<Client>, rounds: number): void {
  describe('statements that change at the same time as other requests', () => {
    let user: Client;

    beforeAll(async () => {
      await passMidnight();
      user = await signUp();
    });

    /** A statement of 100.00 that has closed. */
    async function closedStatement(): Promise<ClosedStatement> {
      const closing = monthDayBefore(todayInUtc(), 12);
      const { id: cardId } = await user.createCard({ first_closing_date: closing });
      const { id: cycleId } = await user.createCycle({
        ...{ start_date: addDays(closing, -10), end_date: addDays(closing, 10) },
        generate_from_templates: false,
      });
      await buy({ cardId, cycleId, closing }, '100').expect(201);
      return { cardId, cycleId, closing, path: `/payment-methods/${cardId}/statements/${closing}` };
    }

    const buy = (
      { cardId, cycleId, closing }: Omit<ClosedStatement, 'path'>,
      amount: string,
    ): Test =>
      user.post(`/cycles/${cycleId}/expenses`, {
        ...{ description: 'Dinner', currency: 'MXN', category: 'variable', amount },
        ...{ payment_method_id: cardId, due_date: closing },
      });

    const actionsOn = async (id: string | null): Promise<string[]> =>
      (await user.activityOf('card_statement', id ?? '')).map(({ action }) => action);

    it('are stored once by two payments, the second of which changes the first', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { path } = await closedStatement();
        const responses = await race(
          ['60', '70'].map((paid_amount) => user.put(path, { paid: true, paid_amount })),
        );
        expect(responses.map(({ status }) => status)).toEqual([200, 200]);
        const paid = await user.read<CardStatementResponse>(path);
        expect(responses.map(({ body }) => (body as CardStatementResponse).id)).toEqual([
          ...[paid.id, paid.id],
        ]);
        expect(['60.00', '70.00']).toContain(paid.paid_amount);
        expect(paid.amount).toBe('100.00');
        expect(await actionsOn(paid.id)).toEqual(['created', 'updated']);
      }
    });

    it('are paid by only one of two requests that have seen them unpaid', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { path } = await closedStatement();
        const tag = (await user.get(path).expect(200)).get('ETag') ?? '';
        const responses = await race(
          ['60', '70'].map((paid_amount) =>
            user.put(path, { paid: true, paid_amount }).set('If-Match', tag),
          ),
        );
        expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
        const paid = responses.find(({ status }) => status === 200)?.body as CardStatementResponse;
        expect(await user.read(path)).toEqual(paid);
        expect(await actionsOn(paid.id)).toEqual(['created']);
      }
    });

    it('are paid with or without a purchase that is entered meanwhile', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const statement = await closedStatement();
        const [paid, bought] = await race([
          user.put(statement.path, { paid: true }),
          buy(statement, '30'),
        ]);
        expect([paid?.status, bought?.status]).toEqual([200, 201]);
        const { amount, paid_amount, total_amount } = await user.read<CardStatementResponse>(
          statement.path,
        );
        expect(['100.00', '130.00']).toContain(amount);
        expect({ paid_amount, total_amount }).toEqual({
          paid_amount: amount,
          total_amount: '130.00',
        });
      }
    });

    it('keep their dates and are stored once beside a change of the days', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { cardId, path, closing } = await closedStatement();
        const before = await user.read<CardStatementResponse>(path);
        const [stated, changed] = await race([
          user.put(path, { stated_amount: '90' }),
          user.put(`/payment-methods/${cardId}`, { closing_day: 14, due_day: 5 }),
        ]);
        expect([stated?.status, changed?.status]).toEqual([200, 200]);
        const after = await user.statement(cardId, closing);
        expect(after).toMatchObject({ due_date: before.due_date, amount: '90.00' });
        const actions = await actionsOn(after.id);
        expect([['created'], ['created', 'updated']]).toContainEqual(actions);
      }
    });

    it('are stored, changed and derived again one after the other', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { path } = await closedStatement();
        const stated = await user.put(path, { stated_amount: '90' }).expect(200);
        const { id } = stated.body as CardStatementResponse;
        const record = await user.lastRecord('card_statement', id ?? '');
        const [undone, changed] = await race([
          user.post(`/activity/${record.id}/undo`),
          user.put(path, { stated_amount: '80' }),
        ]);
        expect(changed?.status).toBe(200);
        const after = await user.read<CardStatementResponse>(path);
        expect(after.stated_amount).toBe('80.00');
        if (undone?.status === 200) {
          // It was stored anew.
          expect(after.id).not.toBe(id);
          expect(await actionsOn(id)).toEqual(['created', 'deactivated']);
        } else {
          expect(undone?.status).toBe(409);
          expect(after.id).toBe(id);
          expect(await actionsOn(id)).toEqual(['created', 'updated']);
        }
      }
    });
  });
}
