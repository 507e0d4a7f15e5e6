/** Updates and deletions of several entries of a cycle at once, made of those of single entries. */
import fc from 'fast-check';
import { money } from './cents.js';
import type { Path } from './entries.js';
import { removeExpense, updateExpense } from './expenses.js';
import { removeIncome, updateIncome } from './incomes.js';
import type { Cycle, Entity, Model } from './model.js';
import { effect, type Attempt, type Mutation } from './mutation.js';
import { anyNumber } from './values.js';
import { balanceOf } from './views.js';

type Entry = Entity & { cycle: Cycle };

interface Kind<Values extends { target: Path }> {
  list: 'expenses' | 'incomes';
  update: Mutation<Values>;
  remove: Mutation<Path>;
}

interface Element<Values> {
  number: number;
  values: Values;
  isRemoved: boolean;
}

interface ElementAttempt {
  entry: Entry;
  attempt: Attempt;
  isRemoved: boolean;
}

function bulkUpdate<Values extends { target: Path }>({
  list,
  update,
  remove,
}: Kind<Values>): Mutation<{ elements: Element<Values>[] }> {
  const anyElement = fc.record({
    number: anyNumber,
    values: update.values,
    isRemoved: fc.oneof(
      { weight: 5, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  });

  /** The attempts on different entries of one cycle. */
  function attemptsOf(model: Model, elements: readonly Element<Values>[]): ElementAttempt[] {
    const all: readonly Entry[] = model[list];
    const [first] = elements;
    const cycle = first && model.pick(all, first.number)?.cycle;
    const ofCycle = all.filter((entry) => entry.cycle === cycle);
    const chosen = new Map<Entry, ElementAttempt>();
    for (const { number, values, isRemoved } of elements) {
      const entry = model.pick(ofCycle, number);
      if (!entry || !first || chosen.has(entry)) continue;
      const target = { ...first.values.target, number: all.length - 1 - all.indexOf(entry) };
      const attempt = isRemoved
        ? remove.attempt(model, target)
        : update.attempt(model, { ...values, target });
      if (attempt) chosen.set(entry, { entry, attempt, isRemoved });
    }
    return [...chosen.values()];
  }

  return {
    operation: `PATCH /cycles/{cycle_id}/${list}`,
    values: fc.record({ elements: fc.array(anyElement, { minLength: 1, maxLength: 4 }) }),
    flaws: { [list]: [], if_match: 'x' },
    attempt: (model, { elements }) => {
      const attempts = attemptsOf(model, elements);
      const [first] = attempts;
      if (!first) return undefined;
      const changes = attempts.map(({ entry, attempt: { body }, isRemoved }) => ({
        id: entry.id,
        ...(isRemoved ? { active: false } : body),
      }));
      return {
        actor: first.attempt.actor,
        path: first.attempt.path.slice(0, first.attempt.path.lastIndexOf('/')),
        body: { [list]: changes },
        focus: first.entry,
        // The details name the element.
        faults: attempts.flatMap(({ attempt }) =>
          attempt.faults.map(({ details: _ofOne, ...fault }) => fault),
        ),
        effect: effect(200, (response: Record<typeof list, { id: string }[]>) => {
          const shown = attempts.flatMap(({ entry, attempt, isRemoved }) => {
            const view = attempt.effect.apply(response[list].find(({ id }) => id === entry.id));
            return isRemoved ? [] : [view];
          });
          return {
            [list]: shown,
            remaining_balance: money(balanceOf(model, first.entry.cycle)),
          };
        }),
      };
    },
  };
}

export const updateExpenses = bulkUpdate({
  list: 'expenses',
  update: updateExpense,
  remove: removeExpense,
});

export const updateIncomes = bulkUpdate({
  list: 'incomes',
  update: updateIncome,
  remove: removeIncome,
});
