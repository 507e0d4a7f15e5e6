import type { Type } from '@nestjs/common';
import type { EntityType } from '../activity/activity-record.entity.js';
import { BUDGET_KIND } from '../budgets/budget.kind.js';
import { COMMENT_KIND } from '../comments/comment.kind.js';
import { CYCLE_KIND } from '../cycles/cycle.kind.js';
import { EXPENSE_KIND } from '../expenses/expense.kind.js';
import { INCOME_KIND } from '../incomes/income.kind.js';
import { PAYMENT_METHOD_KIND } from '../payment-methods/payment-method.kind.js';
import { EXPENSE_TEMPLATE_KIND } from '../templates/expense-template.kind.js';
import { INCOME_TEMPLATE_KIND } from '../templates/income-template.kind.js';
import type { RecordKind, StoredKind } from './record-kind.js';
import type { StoredType } from './record-types.js';

/** The kinds of records whose changes are recorded and can be undone. */
export const STORED_KINDS: { readonly [Name in StoredType]: StoredKind<Name> } = {
  payment_method: PAYMENT_METHOD_KIND,
  recurrent_expense: EXPENSE_TEMPLATE_KIND,
  recurrent_income: INCOME_TEMPLATE_KIND,
  cycle: CYCLE_KIND,
  cycle_expense: EXPENSE_KIND,
  cycle_income: INCOME_KIND,
  budget: BUDGET_KIND,
};

/** Every kind of records. */
export const RECORD_KINDS: { readonly [Name in EntityType]: RecordKind<Name> } = {
  ...STORED_KINDS,
  comment: COMMENT_KIND,
};

/** What the endpoints of each kind return, by the name of the kind. */
export const representationsOf = (
  kinds: Readonly<Record<string, RecordKind>>,
): Record<string, Type> =>
  Object.fromEntries(
    Object.values(kinds).map(({ type, representation }) => [type, representation]),
  );
