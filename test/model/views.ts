/** Expected representations of entities. */
import { expect } from '@jest/globals';
import type { Changes } from '../../src/activity/changes.js';
import { cents, money, sumOf, type Cents } from './cents.js';
import type {
  Budget,
  Comment,
  Cycle,
  Expense,
  ExpenseStatus,
  Household,
  Income,
  Invitation,
  LogRecord,
  Method,
  Template,
  User,
  Model,
} from './model.js';

/**
 * All dates in these tests are far in the past or in the future, so that no due date passes during
 * a run.
 */
const BETWEEN_PAST_AND_FUTURE = '2060-01-01';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type View = Record<string, unknown>;

export function without<Fields extends object, Key extends keyof Fields>(
  fields: Fields,
  ...keys: Key[]
): Omit<Fields, Key> {
  const kept = Object.entries(fields).filter(([key]) => !keys.includes(key as Key));
  return Object.fromEntries(kept) as Omit<Fields, Key>;
}

const stamps = (of: { createdAt: string; updatedAt: string | undefined }): View => ({
  created_at: of.createdAt,
  updated_at: of.updatedAt ?? expect.stringMatching(INSTANT),
});

const personView = ({ id, client, profile: { first_name, last_name } }: User): View => ({
  id,
  email: client.email,
  first_name,
  last_name,
});

export const userView = (user: User): View => ({
  id: user.id,
  email: user.client.email,
  ...user.profile,
  active: true,
  ...stamps(user),
  today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
});

export const memberView = (user: User): View => ({ ...personView(user), role: user.role });

export const householdView = (model: Model, household: Household): View => ({
  id: household.id,
  name: household.name,
  members: model.users.filter((user) => user.household === household).map(memberView),
  ...stamps(household),
});

export const invitationView = ({ id, createdBy, createdAt, expiresAt }: Invitation): View => ({
  id,
  created_by: createdBy.id,
  created_at: createdAt,
  expires_at: expiresAt,
});

export const methodView = (method: Method): View => ({
  id: method.id,
  ...method.fields,
  ...stamps(method),
});

export const budgetView = (budget: Budget): View => ({
  id: budget.id,
  ...budget.fields,
  ...stamps(budget),
});

/** A budget in the response of another entity. */
export const budgetReference = (model: Model, id: string | null): View | null =>
  id === null ? null : { id, name: model.budgetWithId(id)?.fields.name };

/** A payment method in the response of another entity. */
function methodReference(model: Model, id: string | null): View | null {
  if (id === null) return null;
  const { name, method_type } = model.methodWithId(id)?.fields ?? {};
  return { id, name, method_type };
}

export function templateView(model: Model, template: Template): View {
  return {
    id: template.id,
    ...without(template.fields, 'payment_method_id', 'budget_id'),
    budget: budgetReference(model, template.fields.budget_id),
    payment_method: methodReference(model, template.fields.payment_method_id),
    ...stamps(template),
  };
}

/** A pending expense after its due date is displayed as overdue. */
export function displayedStatus({ fields }: Expense): ExpenseStatus {
  const isLate = fields.status === 'pending' && fields.due_date < BETWEEN_PAST_AND_FUTURE;
  return isLate ? 'overdue' : fields.status;
}

/** Null also for an entry that has another currency than planned. */
const plannedAmount = ({ planned, fields }: Expense | Income): string | null =>
  planned?.currency === fields.currency ? planned.amount : null;

export function expenseView(
  model: Model,
  expense: Expense,
  status: ExpenseStatus = displayedStatus(expense),
): View {
  return {
    id: expense.id,
    ...without(expense.fields, 'payment_method_id', 'budget_id', 'active'),
    status,
    budget: budgetReference(model, expense.fields.budget_id),
    planned_amount: plannedAmount(expense),
    payment_method: methodReference(model, expense.fields.payment_method_id),
    ...stamps(expense),
  };
}

export function incomeView(model: Model, income: Income): View {
  return {
    id: income.id,
    ...without(income.fields, 'payment_method_id', 'budget_id', 'active'),
    planned_amount: plannedAmount(income),
    payment_method: methodReference(model, income.fields.payment_method_id),
    budget: budgetReference(model, income.fields.budget_id),
    ...stamps(income),
  };
}

/** The sum of incomes in USD. */
export const sumOfIncomes = (
  incomes: readonly Income[],
  isIncluded: (fields: Income['fields']) => boolean = () => true,
): Cents => sumOf(incomes.filter(({ fields }) => isIncluded(fields)).map(usdOf));

/** The remaining balance of a cycle, computed from its entries. */
export const balanceOf = (model: Model, cycle: Cycle): Cents =>
  cents(cycle.fields.income_amount) +
  sumOfIncomes(model.incomesOf(cycle)) -
  costOf(model.expensesOf(cycle));

export const usdOf = ({ fields }: Expense | Income): Cents => cents(fields.amount_usd);

/** Cancelled expenses are in no sum and no count. */
export const isCounted = ({ fields }: Expense): boolean => fields.status !== 'cancelled';

/** The sum of expenses in USD. */
export const costOf = (
  expenses: readonly Expense[],
  isIncluded: (fields: Expense['fields']) => boolean = () => true,
): Cents => sumOf(expenses.filter((one) => isCounted(one) && isIncluded(one.fields)).map(usdOf));

export function cycleView(model: Model, cycle: Cycle): View {
  const expenses = model.expensesOf(cycle);
  const counted = expenses.filter(isCounted);
  const paid = counted.filter((expense) => expense.fields.paid);
  return {
    id: cycle.id,
    ...without(cycle.fields, 'active'),
    remaining_balance: money(balanceOf(model, cycle)),
    summary: {
      total_expenses: money(costOf(expenses)),
      fixed_expenses: money(costOf(expenses, ({ category }) => category === 'fixed')),
      variable_expenses: money(costOf(expenses, ({ category }) => category === 'variable')),
      expense_count: counted.length,
      paid_count: paid.length,
      pending_count: counted.length - paid.length,
      total_incomes: money(sumOfIncomes(model.incomesOf(cycle))),
      income_count: model.incomesOf(cycle).length,
    },
    ...stamps(cycle),
  };
}

export const commentView = (comment: Comment): View => ({
  id: comment.id,
  household_id: comment.household.id,
  entity_type: comment.target.type,
  entity_id: comment.target.id,
  cycle_id: comment.target.cycleId,
  author_user_id: comment.author.id,
  body: comment.body,
  edited_at: comment.editedAt,
  active: true,
  ...stamps(comment),
  author: personView(comment.author),
});

export const commentEvent = ({ id }: Pick<Comment, 'id'>): Changes => ({
  comment_id: { from: null, to: id },
});

export const recordView = ({ actor, entity, action, changes, undoes }: LogRecord): View => ({
  id: expect.stringMatching(UUID),
  household_id: actor.household.id,
  entity_type: entity.type,
  entity_id: entity.id,
  cycle_id: entity.cycleId,
  actor_user_id: actor.id,
  action,
  changes,
  undoes: undoes ? expect.stringMatching(UUID) : null,
  operation_id: expect.stringMatching(UUID),
  created_at: expect.stringMatching(INSTANT),
  actor: personView(actor),
});
