/** Every mutation of the API with its frequency. */
import fc from 'fast-check';
import { changePassword, register, updateProfile } from './accounts.js';
import { createBudget, removeBudget, updateBudget } from './budgets.js';
import { updateExpenses, updateIncomes } from './bulk-updates.js';
import { carryOver } from './carry-over.js';
import { closeCycle } from './closing.js';
import { createComment, editComment, removeComment } from './comments.js';
import { createCycle, removeCycle, updateCycle } from './cycles.js';
import { createExpense, removeExpense, updateExpense } from './expenses.js';
import { changeRole, invite, renameHousehold, revokeInvitation } from './households.js';
import { createIncome, removeIncome, updateIncome } from './incomes.js';
import { steps, type Command, type Mutation } from './mutation.js';
import { createMethod, removeMethod, updateMethod } from './payment-methods.js';
import { expenseTemplates, incomeTemplates } from './templates.js';
import { undo } from './undo.js';

interface Weighted {
  operation: string;
  weight: number;
  arbitrary: fc.Arbitrary<Command>;
}

const often = <Values>(weight: number, mutation: Mutation<Values>): Weighted => ({
  operation: mutation.operation,
  weight,
  arbitrary: steps(mutation),
});

const MUTATIONS = [
  often(2, createMethod),
  often(4, updateMethod),
  often(1, removeMethod),
  often(2, createBudget),
  often(4, updateBudget),
  often(1, removeBudget),
  often(2, expenseTemplates.create),
  often(4, expenseTemplates.update),
  often(2, expenseTemplates.remove),
  often(2, incomeTemplates.create),
  often(3, incomeTemplates.update),
  often(1, incomeTemplates.remove),
  often(5, createCycle),
  often(6, updateCycle),
  often(1, removeCycle),
  often(5, createExpense),
  often(24, updateExpense),
  often(3, removeExpense),
  often(4, carryOver),
  often(1, closeCycle),
  often(8, updateExpenses),
  often(4, updateIncomes),
  often(4, createIncome),
  often(10, updateIncome),
  often(2, removeIncome),
  often(8, undo),
  often(5, createComment),
  often(4, editComment),
  often(3, removeComment),
  often(1, renameHousehold),
  often(3, changeRole),
  often(2, invite),
  often(1, revokeInvitation),
  often(1, register),
  often(1, updateProfile),
  often(1, changePassword),
];

export const OPERATIONS = MUTATIONS.map(({ operation }) => operation);

export const anyMutation: fc.Arbitrary<Command> = fc.oneof(...MUTATIONS);
