import fc from 'fast-check';
import type { ClosedCycleResponse } from '../../src/cycles/dto/closing.dto.js';
import { move, moveFaults, openEntries, type Moving } from './carry-over.js';
import { money, sumOf } from './cents.js';
import { cycleFaults } from './cycles.js';
import { CYCLE_NOT_FOUND, invalid, ofBody, when, type Refusal } from './expected-errors.js';
import type { Cycle, Model, User } from './model.js';
import { effect, type Mutation } from './mutation.js';
import { anyNumber, anyTarget, maybe } from './values.js';
import { balanceOf, cycleView, usdOf } from './views.js';

const NOTHING: Moving = { expenses: [], incomes: [] };

function faultsOf(
  actor: User,
  { from, to }: { from: Cycle; to: Cycle | undefined },
  { open, leavesOpen }: { open: Moving; leavesOpen: boolean },
): Refusal[] {
  if (to) {
    const contradiction = when(leavesOpen, ofBody(invalid('leave_open')));
    return [...contradiction, ...moveFaults(actor, { from, to }, NOTHING)];
  }
  const faults = cycleFaults(actor, from);
  if (faults.includes(CYCLE_NOT_FOUND) || leavesOpen) return faults;
  const counts = {
    open_expense_count: open.expenses.length,
    open_income_count: open.incomes.length,
  };
  const details = { resource: 'cycle', ...counts };
  const hasOpen = open.expenses.length + open.incomes.length > 0;
  return [...faults, ...when(hasOpen, { status: 409, code: 'RESOURCE_CONFLICT', details })];
}

const leftOver = (model: Model, cycle: Cycle, open: Moving): string =>
  money(balanceOf(model, cycle) + sumOf(open.expenses.map(usdOf)) - sumOf(open.incomes.map(usdOf)));

export const closeCycle: Mutation<{
  target: { number: number; as: number | undefined };
  to: number | undefined;
  leaveOpen: boolean | null | undefined;
}> = {
  operation: 'POST /cycles/{id}/close',
  values: fc.record({
    target: anyTarget,
    to: maybe(anyNumber),
    leaveOpen: fc.constantFrom(true, false, null, undefined),
  }),
  flaws: { leave_open: 'x', from: 'x' },
  attempt: (model, { target, to: number, leaveOpen }) => {
    const from = model.pick(model.cycles, target.number);
    if (!from) return undefined;
    const to = number === undefined ? undefined : model.pick(model.cycles, number);
    const actor = model.actor(from.owner, target.as);
    const open = openEntries(model, from);
    return {
      actor,
      path: `/cycles/${from.id}/close`,
      body: { to_cycle_id: to?.id, leave_open: leaveOpen },
      focus: from,
      faults: faultsOf(actor, { from, to }, { open, leavesOpen: leaveOpen === true }),
      effect: effect(200, (response: ClosedCycleResponse) => {
        const left_over = leftOver(model, from, open);
        const moved = to
          ? move(model, actor, to, open, response)
          : { moved: [], moved_incomes: [] };
        model.change(actor, from, { status: 'completed' });
        from.updatedAt = response.cycle.updated_at;
        return { cycle: cycleView(model, from), ...moved, left_over };
      }),
    };
  },
};
