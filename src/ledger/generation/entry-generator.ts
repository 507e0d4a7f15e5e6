import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { ConversionError } from '../../exchange-rates/conversion.js';
import {
  ExchangeRatesService,
  type Conversion,
  type DatedAmount,
  type UsdConverter,
} from '../../exchange-rates/exchange-rates.service.js';
import { Database, type Scope } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { withPauses } from '../../platform/process/pauses.js';
import { compareText } from '../../platform/values/text.js';
import { ExpenseTemplatesService } from '../../templates/expense-templates.service.js';
import type { Period } from '../../templates/recurrence/recurrence.js';
import {
  templateOccurrences,
  type TemplateOccurrence,
} from '../../templates/template-occurrences.js';
import type {
  ActiveExpenseTemplate,
  ActiveIncomeTemplate,
  ActiveTemplate,
} from '../../templates/templates.queries.js';
import type { CycleEntry, EntryFields } from '../entities/cycle-entry.entity.js';
import { CycleExpense } from '../entities/cycle-expense.entity.js';
import { CycleIncome } from '../entities/cycle-income.entity.js';
import type { Cycle } from '../entities/cycle.entity.js';
import { findOccurrences, keyOf, type OccurrenceKey } from '../occurrences.queries.js';
import { markGenerated } from './generated-entry.js';

/** The entries that are generated for a cycle, ordered by date and description. */
export interface GeneratedEntries {
  expenses: CycleExpense[];
  incomes: CycleIncome[];
}

export const NO_ENTRIES: GeneratedEntries = { expenses: [], incomes: [] };

/**
 * The expenses and incomes of one cycle together: without a limit, many daily templates would block
 * the process.
 */
export const MAX_GENERATED_ENTRIES = 1000;

/** Generates the expenses and incomes of a cycle from the user's active templates. */
@Injectable()
export class EntryGenerator {
  private readonly generatedExpenses: Counter;

  constructor(
    private readonly database: Database,
    private readonly templates: ExpenseTemplatesService,
    private readonly exchangeRates: ExchangeRatesService,
    metrics: Metrics,
  ) {
    this.generatedExpenses = metrics.addCounter({
      name: 'expenses_generated_total',
      help: 'Expenses generated from templates',
    });
  }

  /**
   * One entry per occurrence.
   *
   * @throws DomainError CYCLE_GENERATION_ERROR with the template whose amount cannot be converted,
   *   or with the limit when there are more than {@link MAX_GENERATED_ENTRIES}
   */
  async generate(
    scope: Scope,
    cycle: Pick<Cycle, 'startDate' | 'endDate'>,
  ): Promise<GeneratedEntries> {
    const [due = []] = await this.plan(scope, [{ start: cycle.startDate, end: cycle.endDate }]);
    const converter = await this.exchangeRates.usdConverter(scope, due.map(toConvert));
    return {
      expenses: due.filter(isOfExpense).map((occurrence) => toExpense(occurrence, converter)),
      incomes: due.filter(isOfIncome).map((occurrence) => toIncome(occurrence, converter)),
    };
  }

  /**
   * What the active templates give in each of several cycles, in the order of generation. Other
   * requests run meanwhile.
   *
   * @param cycles in their order, without a day in common
   * @param max once there are more in all cycles together, no other template is read
   * @throws DomainError CYCLE_GENERATION_ERROR with the limit when there are more than
   *   {@link MAX_GENERATED_ENTRIES} in a cycle
   */
  async plan(scope: Scope, cycles: readonly Period[], max = Infinity): Promise<DueOccurrence[][]> {
    const planned = cycles.map((): DueOccurrence[] => []);
    if (cycles.length === 0) return planned;
    let count = 0;
    for await (const templates of this.templates.readActive(scope)) {
      for await (const template of withPauses(templates)) {
        count += addOccurrences(planned, template, cycles);
        if (count > max) return planned;
      }
    }
    return planned.map((due) => due.sort(byDateThenName));
  }

  /**
   * The planned occurrences that no stored cycle has an entry of: it can have one of another cycle,
   * which an earlier weekend rule moved into it.
   */
  async withoutStored(
    scope: Scope,
    planned: readonly (readonly DueOccurrence[])[],
  ): Promise<DueOccurrence[][]> {
    const stored = await findOccurrences(scope, planned.flat().map(toKey));
    return planned.map((due) => due.filter((one) => !stored.has(keyOf(toKey(one)))));
  }

  /** Those of generated entries whose occurrence no other cycle has an entry of. */
  async withoutOthers<Entry extends CycleEntry>(
    scope: Scope,
    cycle: Cycle,
    entries: readonly Entry[],
  ): Promise<Entry[]> {
    const stored = await findOccurrences(scope, entries, cycle.id);
    return entries.filter((entry) => !stored.has(keyOf(entry)));
  }

  /** Counts the expenses among stored entries in the metrics once they are committed. */
  countStored({ manager }: Scope, entries: readonly CycleEntry[]): void {
    const { length } = entries.filter(({ type }) => type === CycleExpense.type);
    this.database.afterCommit(manager, () => {
      this.generatedExpenses.inc(length);
    });
  }
}

/** An occurrence of a template in a cycle. */
export interface DueOccurrence<Template extends ActiveTemplate = ActiveTemplate> extends Omit<
  TemplateOccurrence,
  'reasons'
> {
  template: Template;
}

const toKey = ({ template, ruleDate }: DueOccurrence): OccurrenceKey => ({
  templateId: template.id,
  occurrenceDate: ruleDate,
});

/** What must be known to convert the amount of an occurrence. */
export const toConvert = ({
  template,
  date,
}: DueOccurrence): Pick<DatedAmount, 'currency' | 'date'> => ({
  currency: template.currency,
  date,
});

/** @throws DomainError CYCLE_GENERATION_ERROR when the amount cannot be converted */
export const conversionOf = (due: DueOccurrence, converter: UsdConverter): Conversion =>
  generating(due, () => converter.toUsd({ ...toConvert(due), amount: due.amount }));

/**
 * Adds the occurrences of a template to those of the cycles that have their dates, until there is
 * one too many in a cycle.
 *
 * @returns how many there are
 * @throws DomainError CYCLE_GENERATION_ERROR
 */
function addOccurrences(
  planned: readonly DueOccurrence[][],
  template: ActiveTemplate,
  cycles: readonly Period[],
): number {
  const [first, last] = [cycles[0], cycles.at(-1)];
  if (!first || !last) return 0;
  let count = 0;
  let index = 0;
  // Once for all cycles: the occurrences come by date, and so do the cycles.
  const found = templateOccurrences(template, { start: first.start, end: last.end });
  for (const { date, ruleDate, amount, instalment } of found) {
    while (date > (cycles[index] ?? last).end) index += 1;
    const due = planned[index];
    if (!due || date < (cycles[index] ?? last).start) continue;
    if (due.length === MAX_GENERATED_ENTRIES) throw tooManyEntries();
    due.push({ template, date, ruleDate, amount, instalment });
    count += 1;
  }
  return count;
}

const tooManyEntries = (): DomainError =>
  new DomainError(
    'CYCLE_GENERATION_ERROR',
    `The templates give more than ${MAX_GENERATED_ENTRIES} expenses and incomes in one cycle`,
    { limit: MAX_GENERATED_ENTRIES },
  );

const isOfExpense = (due: DueOccurrence): due is DueOccurrence<ActiveExpenseTemplate> =>
  due.template.kind === 'expense';

const isOfIncome = (due: DueOccurrence): due is DueOccurrence<ActiveIncomeTemplate> =>
  due.template.kind === 'income';

function byDateThenName(a: DueOccurrence, b: DueOccurrence): number {
  return compareText(a.date, b.date) || compareText(a.template.description, b.template.description);
}

function toExpense(
  due: DueOccurrence<ActiveExpenseTemplate>,
  converter: UsdConverter,
): CycleExpense {
  const { template, date: dueDate } = due;
  const { category, autopayInfo, paymentMethod: method, budget } = template;
  const fields = { ...commonFields(due), dueDate, category, autopayInfo };
  return generated(due, () => CycleExpense.create(fields, { method, budget }, converter));
}

function toIncome(due: DueOccurrence<ActiveIncomeTemplate>, converter: UsdConverter): CycleIncome {
  const { template, date: incomeDate } = due;
  const { paymentMethod: method, budget } = template;
  const fields = { ...commonFields(due), incomeDate };
  return generated(due, () => CycleIncome.create(fields, { method, budget }, converter));
}

const commonFields = ({
  template: { description, currency },
  amount,
}: DueOccurrence): Pick<EntryFields, 'description' | 'currency' | 'amount'> => ({
  description,
  currency,
  amount,
});

/** @throws DomainError CYCLE_GENERATION_ERROR when the amount cannot be converted */
const generated = <Entry extends CycleEntry>(due: DueOccurrence, create: () => Entry): Entry =>
  generating(due, () => {
    const entry = create();
    markGenerated(entry, due.template.id, due);
    return entry;
  });

function generating<Result>({ template, date }: DueOccurrence, convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new DomainError(
      'CYCLE_GENERATION_ERROR',
      `No ${template.kind} can be generated from the template "${template.description}": ${error.message}`,
      {
        template: { id: template.id, description: template.description },
        [template.kind === 'expense' ? 'due_date' : 'income_date']: date,
        cause: { code: error.code, message: error.message, details: error.details },
      },
    );
  }
}
