/** What the service must answer about one thing, whole. */
import { expect } from '@jest/globals';
import type { Changes } from '../../src/activity/changes.js';
import { cents, money, sumOf, type Cents } from './cents.js';
import type {
  Comment,
  Cycle,
  Expense,
  ExpenseStatus,
  Household,
  Invitation,
  LogRecord,
  Method,
  Template,
  User,
  World,
} from './world.js';

/** Every day in these tests is years before or after this one: none passes while they run. */
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
});

export const memberView = (user: User): View => ({ ...personView(user), role: user.role });

export const householdView = (world: World, household: Household): View => ({
  id: household.id,
  name: household.name,
  members: world.users.filter((user) => user.household === household).map(memberView),
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

/** A payment method within something else. */
function methodReference(world: World, id: string): View {
  const { name, method_type } = world.methodNamed(id)?.fields ?? {};
  return { id, name, method_type };
}

export function templateView(world: World, template: Template): View {
  return {
    id: template.id,
    ...without(template.fields, 'payment_method_id'),
    payment_method: methodReference(world, template.fields.payment_method_id),
    ...stamps(template),
  };
}

/** In an active cycle, what is pending and past its due date reads as overdue. */
export function shownStatus({ fields, cycle }: Expense): ExpenseStatus {
  const isLate = fields.status === 'pending' && fields.due_date < BETWEEN_PAST_AND_FUTURE;
  return isLate && cycle.fields.status === 'active' ? 'overdue' : fields.status;
}

export function expenseView(
  world: World,
  expense: Expense,
  status: ExpenseStatus = shownStatus(expense),
): View {
  return {
    id: expense.id,
    ...without(expense.fields, 'payment_method_id', 'active'),
    status,
    payment_method: methodReference(world, expense.fields.payment_method_id),
    ...stamps(expense),
  };
}

export const usdOf = ({ fields }: Expense): Cents => cents(fields.amount_usd);

/** A cancelled expense costs nothing and is counted nowhere. */
export const costsAnything = ({ fields }: Expense): boolean => fields.status !== 'cancelled';

/** What expenses cost, in USD. */
export const costOf = (
  expenses: readonly Expense[],
  isMeant: (fields: Expense['fields']) => boolean = () => true,
): Cents => sumOf(expenses.filter((one) => costsAnything(one) && isMeant(one.fields)).map(usdOf));

export function cycleView(world: World, cycle: Cycle): View {
  const expenses = world.expensesOf(cycle);
  const counted = expenses.filter(costsAnything);
  const paid = counted.filter((expense) => expense.fields.paid);
  return {
    id: cycle.id,
    ...without(cycle.fields, 'active'),
    remaining_balance: money(cents(cycle.fields.income_amount) - costOf(expenses)),
    summary: {
      total_expenses: money(costOf(expenses)),
      fixed_expenses: money(costOf(expenses, ({ category }) => category === 'fixed')),
      variable_expenses: money(costOf(expenses, ({ category }) => category === 'variable')),
      expense_count: counted.length,
      paid_count: paid.length,
      pending_count: counted.length - paid.length,
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

export const recordView = ({ actor, entity, action, changes }: LogRecord): View => ({
  id: expect.stringMatching(UUID),
  household_id: actor.household.id,
  entity_type: entity.type,
  entity_id: entity.id,
  cycle_id: entity.cycleId,
  actor_user_id: actor.id,
  action,
  changes,
  created_at: expect.stringMatching(INSTANT),
  actor: personView(actor),
});
