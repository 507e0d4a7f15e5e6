import type {
  BalanceResponse,
  CreatedBalancesResponse,
} from '../../src/balances/dto/balance.dto.js';
import type { Client } from './client.js';

/**
 * Creates the household of the example in docs/concepts.md, whose user is paid by the fortnight in
 * pesos and has three budgets, as it is on 2026-02-10 before she states her balance.
 *
 * @returns the ids of its cycle and of its payment method
 */
export async function createFortnightHousehold(
  user: Client,
): Promise<{ cycleId: string; paymentMethodId: string }> {
  const { id: payment_method_id } = await user.createPaymentMethod({ default_currency: 'MXN' });
  const common = { currency: 'MXN', payment_method_id };
  const budget = async (name: string, limit: string): Promise<{ budget_id: string }> => ({
    budget_id: (await user.createBudget({ name, limit })).id,
  });
  const home = await budget('Casa', '850.00');
  const car = await budget('Coche', '500.00');
  const groceries = await budget('Despensa', '500.00');
  await user.createTemplate({ ...common, ...home, description: 'Renta', base_amount: '8000.00' });
  await user.createTemplate({
    ...common,
    ...groceries,
    description: 'Súper',
    base_amount: '1500.00',
    recurrence_type: 'weekly',
    recurrence_config: { day_of_week: 0 },
  });
  for (const day_of_month of [15, 31]) {
    await user.createIncomeTemplate({
      ...common,
      description: 'Quincena',
      base_amount: '12000.00',
      recurrence_type: 'monthly',
      recurrence_config: { day_of_month, handle_month_end: true },
      weekend_rule: 'before',
    });
  }
  const period = { start_date: '2026-01-19', end_date: '2026-03-01' };
  const { id: cycleId } = await user.createCycle({ ...period, income_amount: '0.00' });
  const one = async (body: Record<string, string>): Promise<void> => {
    await user.createExpense(cycleId, { ...common, ...body });
  };
  await one({ ...home, description: 'Gas', amount: '500.00', due_date: '2026-02-10' });
  await one({
    ...car,
    description: 'Seguro del coche',
    amount: '11500.00',
    due_date: '2026-02-20',
  });
  const { expenses } = await user.expenses(cycleId);
  for (const { id, due_date } of expenses) {
    if (due_date > '2026-02-01') continue;
    await user.put(`/cycles/${cycleId}/expenses/${id}`, { paid: true }).expect(200);
  }
  const { incomes } = await user.incomes(cycleId);
  const [first] = incomes;
  await user.put(`/cycles/${cycleId}/incomes/${first?.id}`, { received: true }).expect(200);
  await user.put(`/cycles/${cycleId}`, { status: 'active' }).expect(200);
  return { cycleId, paymentMethodId: payment_method_id };
}

/** States what there is in pesos in a payment method now. */
export async function stateBalance(
  user: Client,
  paymentMethodId: string,
  amount: string,
): Promise<BalanceResponse> {
  const balances = [{ payment_method_id: paymentMethodId, amount }];
  const created = await user.post('/balances', { balances }).expect(201);
  const [stated] = (created.body as CreatedBalancesResponse).balances;
  if (!stated) throw new Error('No balance was stated');
  return stated;
}
