import type { Client } from './client.js';

/** The card and the cycle of {@link createCardHousehold}. */
export interface CardHousehold {
  cardId: string;
  cycleId: string;
}

/**
 * Creates the household of the example of a card in docs/concepts.md: 1000.00 USD, and a card in USD
 * that closes on the 12th and is due on the 2nd, without purchases.
 */
export async function createCardHousehold(user: Client): Promise<CardHousehold> {
  const { id: cardId } = await user.createPaymentMethod({
    ...{ name: 'Card', method_type: 'credit', default_currency: 'USD' },
    ...{ closing_day: 12, due_day: 2 },
  });
  const { id: cycleId } = await user.createCycle({
    ...{ start_date: '2026-03-01', end_date: '2026-04-11', income_amount: '0.00' },
  });
  const { id } = await user.createIncome(cycleId, {
    ...{ currency: 'USD', amount: '1000.00', income_date: '2026-03-01' },
  });
  await user.put(`/cycles/${cycleId}/incomes/${id}`, { received: true }).expect(200);
  return { cardId, cycleId };
}

/** Adds a purchase with the card, and returns its id. */
export async function buyByCard(
  user: Client,
  { cardId, cycleId }: CardHousehold,
  { amount, date }: { amount: string; date: string },
): Promise<string> {
  const purchase = { currency: 'USD', amount, due_date: date, payment_method_id: cardId };
  return (await user.createExpense(cycleId, purchase)).id;
}
