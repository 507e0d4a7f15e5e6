/** Households of tests of the forecast: makes them through the API and reads what is stored. */
import type { BudgetResponse } from '../../src/budgets/dto/budget.dto.js';
import type { CycleResponse } from '../../src/cycles/dto/cycle.dto.js';
import type { Recurrence } from '../../src/templates/recurrence/recurrence.js';
import { daysOf, templateBody, type RandomHousehold } from '../properties/random-households.js';
import type { Client } from './client.js';
import { plusDays } from './forecast-periods.js';
import type { Service } from './service.js';
import type {
  ActiveTemplate,
  Household,
  StoredEntry,
  StoredStatement,
} from './stored-household.js';

export const CYCLE_MAX_DAYS = 45;

/** An instant as text, for JavaScript. */
export const milliseconds = (column: string): string =>
  `round(extract(epoch FROM ${column}) * 1000)::bigint::text`;

/** Signs up a user who has all that; the time of the process is already that of the household. */
export async function createHousehold(service: Service, plan: RandomHousehold): Promise<Client> {
  const { today } = plan;
  const user = await service.signUp({ time_zone: 'America/Mexico_City' });
  const methods = [await user.createPaymentMethod(), await user.createPaymentMethod()];
  const idOf = (index: number): string | undefined => methods[index]?.id;
  const fallback = methods[0]?.id;
  const budgets: BudgetResponse[] = [];
  for (const { name, currency, limit } of plan.budgets)
    budgets.push(await user.createBudget({ name, currency, limit }));
  const budgetOf = (index: number): string | null => budgets[index]?.id ?? null;
  const inactive: string[] = [];
  const laterRules: [path: string, weekend_rule: string][] = [];
  for (const { kind, fields, laterRule, isActive } of plan.templates) {
    const { method, budget, ...others } = templateBody(today, fields);
    const body = { ...others, budget_id: budgetOf(budget) };
    const path = kind === 'expense' ? '/expense-templates' : '/income-templates';
    const created =
      kind === 'expense'
        ? await user.createTemplate({ ...body, payment_method_id: idOf(method) ?? fallback })
        : await user.createIncomeTemplate({ ...body, payment_method_id: idOf(method) ?? null });
    if (laterRule) laterRules.push([`${path}/${created.id}`, laterRule]);
    if (!isActive) inactive.push(`${path}/${created.id}`);
  }
  const cycles: CycleResponse[] = [];
  for (const { period, name, limits, ...fields } of plan.cycles) {
    const days = daysOf(today, period);
    const dates = `${plusDays(days.end_date, 1)} to ${plusDays(days.end_date, 30)}`;
    const isFree = name !== null && cycles.every((cycle) => cycle.name !== dates);
    const body = { ...days, ...fields.created };
    const cycle = await user.createCycle(isFree ? { ...body, name: dates } : body);
    cycles.push(cycle);
    if (!limits) continue;
    const budget_limits = limits.flatMap((limit, index) =>
      limit === null || !budgets[index] ? [] : [{ budget_id: budgets[index].id, limit }],
    );
    await user.put(`/cycles/${cycle.id}`, { budget_limits }).expect(200);
  }
  for (const { kind, cycle, distance, category, method, budget, ...fields } of plan.entries) {
    const { id } = cycles[cycle % cycles.length] ?? {};
    if (id === undefined) continue;
    const date = plusDays(today, distance);
    const body = { ...fields, budget_id: budgetOf(budget) };
    if (kind === 'expense') {
      const payment_method_id = idOf(method) ?? fallback;
      await user.createExpense(id, { ...body, category, due_date: date, payment_method_id });
    } else {
      const payment_method_id = idOf(method) ?? null;
      await user.createIncome(id, { ...body, income_date: date, payment_method_id });
    }
  }
  await changeEntries(user, cycles, plan.changes);
  for (const [path, weekend_rule] of laterRules) await user.put(path, { weekend_rule }).expect(200);
  for (const [index, { state, shortenedBy }] of plan.cycles.entries()) {
    const { id = '', start_date = '', end_date = '' } = cycles[index] ?? {};
    const path = `/cycles/${id}`;
    const earlier = plusDays(end_date, -shortenedBy);
    if (earlier > start_date) await user.put(path, { end_date: earlier }).expect(200);
    if (state === 'deleted') await user.delete(path).expect(204);
    else if (state !== 'draft') await user.put(path, { status: state }).expect(200);
  }
  for (const path of inactive) await user.delete(path).expect(204);
  for (const [index, { isActive }] of plan.budgets.entries()) {
    if (!isActive) await user.delete(`/budgets/${budgetOf(index) ?? ''}`).expect(204);
  }
  if (!plan.isMethodActive) await user.delete(`/payment-methods/${idOf(1) ?? ''}`).expect(204);
  return user;
}

async function changeEntries(
  user: Client,
  cycles: readonly CycleResponse[],
  changes: RandomHousehold['changes'],
): Promise<void> {
  let number = 0;
  for (const { id: cycleId } of cycles) {
    const path = `/cycles/${cycleId}`;
    const { expenses } = await user.expenses(cycleId);
    const { incomes } = await user.incomes(cycleId);
    const nextChange = (): RandomHousehold['changes'][number] | undefined =>
      changes[number++ % changes.length];
    const ofExpenses = expenses.map(({ id }) => ({ id, change: nextChange() }));
    const ofIncomes = incomes.map(({ id }) => ({ id, change: nextChange() }));
    const updates = {
      expenses: ofExpenses.flatMap(({ id, change }): object[] => {
        if (change === 'settled') return [{ id, paid: true }];
        if (change === 'cancelled') return [{ id, status: 'cancelled' }];
        if (change === 'edited') return [{ id, description: 'Edited' }];
        return change === 'deleted' ? [{ id, active: false }] : [];
      }),
      incomes: ofIncomes.flatMap(({ id, change }): object[] => {
        if (change === 'settled') return [{ id, received: true }];
        if (change === 'edited') return [{ id, amount: '77.77' }];
        return change === 'deleted' ? [{ id, active: false }] : [];
      }),
    };
    for (const kind of ['expenses', 'incomes'] as const) {
      const elements = updates[kind];
      if (elements.length === 0) continue;
      await user.patch(`${path}/${kind}`, { [kind]: elements }).expect(200);
    }
  }
}

type TemplateRow = Omit<ActiveTemplate, 'recurrence'> & {
  recurrence_type: string;
  recurrence_config: object;
  reference_date: string;
  starts_on: string | null;
  ends_on: string | null;
  weekend_rule: string;
};

const TEMPLATE_COLUMNS = `t.id, t.description, currency, base_amount, amount_changes,
  last_amount, skipped_dates, payment_method_id, budget_id, recurrence_type, recurrence_config, reference_date, starts_on, ends_on, weekend_rule`;
const ENTRY_COLUMNS = `e.id, e.cycle_id, e.description, e.currency, e.amount, e.amount_usd,
  e.payment_method_id, e.budget_id, e.template_id, e.occurrence_date, e.instalment, e.generated`;

type EntryRow = Omit<StoredEntry, 'edited'> & {
  generated: Record<string, string | null> | null;
  autopay_info: string | null;
};

/** Compares the values that generation gave an entry with those that it has. */
function toEntry({ generated, autopay_info, ...entry }: EntryRow): StoredEntry {
  const { description, currency, amount, payment_method_id, category, date, entity_type } = entry;
  const isExpense = entity_type === 'cycle_expense';
  const own = isExpense ? { due_date: date, category, autopay_info } : { income_date: date };
  const values = { description, currency, amount, payment_method_id, ...own };
  const edited = Object.entries(values).some(([name, value]) => generated?.[name] !== value);
  return { ...entry, edited };
}

/**
 * All that is stored of a user, as the reference implementation takes it.
 *
 * @param todayIn the day in a zone
 */
export async function readHousehold(
  service: Service,
  user: Client,
  todayIn: (timeZone: string) => string,
): Promise<Household> {
  const rows = <Row>(select: string, order = 'seq'): Promise<Row[]> =>
    service.query<Row>(
      `SELECT * FROM (${select}) AS rows
       WHERE user_id = (SELECT id FROM users WHERE email = $1) ORDER BY ${order}`,
      [user.email],
    );
  const [owner] = await service.query<{ time_zone: string; next_income_amount: 'same' | 'zero' }>(
    'SELECT time_zone, next_income_amount FROM users WHERE email = $1',
    [user.email],
  );
  if (!owner) throw new Error(`There is no user ${user.email}`);
  const statements = await rows<Omit<StoredStatement, 'paid_at'> & { paid_at: string | null }>(
    `SELECT s.user_id, s.seq, s.id, s.payment_method_id, s.first_date, s.closing_date, s.due_date,
       s.stated_amount, s.amount, s.paid_amount, ${milliseconds('s.paid_at')} AS paid_at
     FROM card_statements s WHERE active`,
  );
  const templates = [
    ...(await rows<TemplateRow>(
      `SELECT t.user_id, t.seq, 'cycle_expense' AS entity_type, category, ${TEMPLATE_COLUMNS}
       FROM expense_templates t WHERE active`,
    )),
    ...(await rows<TemplateRow>(
      `SELECT t.user_id, t.seq, 'cycle_income' AS entity_type, NULL AS category, ${TEMPLATE_COLUMNS}
       FROM income_templates t WHERE active`,
    )),
  ];
  return {
    today: todayIn(owner.time_zone),
    timeZone: owner.time_zone,
    nextIncomeAmount: owner.next_income_amount,
    cycleMaxDays: CYCLE_MAX_DAYS,
    methods: await rows('SELECT * FROM payment_methods'),
    budgets: await rows('SELECT * FROM budgets'),
    cycles: await rows('SELECT * FROM cycles WHERE active'),
    entries: [
      ...(await rows<EntryRow>(
        `SELECT c.user_id, e.seq, 'cycle_expense' AS entity_type, e.due_date AS date, e.category,
           e.autopay_info, e.paid AS settled, e.status = 'cancelled' AS cancelled, ${ENTRY_COLUMNS}
         FROM cycle_expenses e JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
         WHERE e.active AND c.active`,
      )),
      ...(await rows<EntryRow>(
        `SELECT c.user_id, e.seq, 'cycle_income' AS entity_type, e.income_date AS date,
           NULL AS category, NULL AS autopay_info, e.received AS settled, false AS cancelled, ${ENTRY_COLUMNS}
         FROM cycle_incomes e JOIN cycles c ON c.household_id = e.household_id AND c.id = e.cycle_id
         WHERE e.active AND c.active`,
      )),
    ].map(toEntry),
    templates: templates.map((template) => ({
      ...template,
      recurrence: {
        rule: { type: template.recurrence_type, config: template.recurrence_config },
        referenceDate: template.reference_date,
        startsOn: template.starts_on,
        endsOn: template.ends_on,
        weekendRule: template.weekend_rule,
      } as Recurrence,
    })),
    statements: statements.map(({ paid_at, ...row }) => ({
      ...row,
      paid_at: paid_at === null ? null : Number(paid_at),
    })),
    rates: await service.query(
      'SELECT from_currency, to_currency, rate::text, rate_date FROM exchange_rates',
    ),
  };
}
