import { addDays, fromCents, toCents } from 'expense-service-client';
import type { RecurrenceRule, Schemas } from 'expense-service-client';
import {
  client,
  queries,
  tagOf,
  type Cycle,
  type ExpenseTemplate,
  type IncomeTemplate,
} from '../api';
import { takesEntries, type Kind } from '../entries/entry';
import type { Operation } from '../write';

export type Template = ExpenseTemplate | IncomeTemplate;

type NewExpense = Schemas['CreateExpenseTemplateDto'];
/** `category` of expenses only. */
export type NewTemplate = Schemas['CreateIncomeTemplateDto'] &
  Partial<NewExpense> & { weekend_rule: Schemas['WeekendRule'] };

const isExpense = (template: Template): template is ExpenseTemplate => 'category' in template;

export const createTemplate = (kind: Kind, body: NewTemplate) =>
  kind === 'expense'
    ? queries.send('POST', '/expense-templates', {
        body: { category: 'fixed', ...body } as NewExpense,
      })
    : queries.send('POST', '/income-templates', { body });

/** Refused if the template was changed since it was read. */
function updateTemplate(template: Template, body: Schemas['UpdateExpenseTemplateDto']) {
  const options = { params: { path: { id: template.id } }, ifMatch: tagOf(template), body };
  return isExpense(template)
    ? queries.send('PUT', '/expense-templates/{id}', options)
    : queries.send('PUT', '/income-templates/{id}', options);
}

/** Saves a template with each schedule: those that there are already, and new ones. */
export async function saveTemplates(
  kind: Kind,
  templates: readonly Template[],
  schedules: readonly object[],
  values: Schemas['UpdateExpenseTemplateDto'],
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const [i, schedule] of schedules.entries()) {
    const body = { ...schedule, ...values };
    const own = templates[i];
    const saved = own ? updateTemplate(own, body) : createTemplate(kind, body as NewTemplate);
    operations.push(await saved);
  }
  return operations;
}

/** Both of a quincena, or one alone; the same values in all. */
export const updateTemplates = (
  templates: readonly Template[],
  body: Schemas['UpdateExpenseTemplateDto'],
) => Promise.all(templates.map((each) => updateTemplate(each, body)));

export type AmountChange = Template['amount_changes'][number];

/** Of occurrences of a rule date, before the last one has its own. */
export const amountAt = (
  date: string,
  { base_amount, amount_changes: changes }: Pick<Template, 'base_amount' | 'amount_changes'>,
): string => changes.findLast(({ from }) => from <= date)?.amount ?? base_amount;

/** With another amount from a day on. */
export const withChange = (changes: AmountChange[], change: AmountChange): AmountChange[] =>
  [...changes.filter(({ from }) => from !== change.from), change].sort((a, b) =>
    a.from.localeCompare(b.from),
  );

/** The amount that is in force on a day, as another one. */
export function amountInForce(date: string, amount: string, { amount_changes: changes }: Template) {
  const last = changes.findLast(({ from }) => from <= date);
  return last
    ? { amount_changes: withChange(changes, { from: last.from, amount }) }
    : { base_amount: amount };
}

/** How it recurs, without what else it has. */
export const ruleOf = (template: RecurrenceRule) => {
  const { recurrence_type, recurrence_config, reference_date } = template;
  return { recurrence_type, recurrence_config, reference_date } as RecurrenceRule;
};

const weekdayOf = (day: string): number => new Date(day).getUTCDay();

/** The rules that people mean by a first day: every Friday, or the 27th, if it is Friday the 27th. */
export const rulesFrom = (first: string, interval: Schemas['CustomConfigDto']) =>
  ({
    weekly: rule('weekly', first, { day_of_week: weekdayOf(first) }),
    second_week: rule('bi_weekly', first, { interval_days: 14 }),
    monthly: rule('monthly', first, {
      day_of_month: Number(first.slice(8)),
      handle_month_end: true,
    }),
    month_end: rule('monthly', first, { day_of_month: 31, handle_month_end: true }),
    interval: rule('custom', first, interval),
  }) satisfies Record<string, RecurrenceRule>;

/** The quincena, which takes two templates: the 15th and the last day of each month. */
export const fortnightFrom = (first: string): RecurrenceRule[] =>
  [15, 31].map((day) => rule('monthly', first, { day_of_month: day, handle_month_end: true }));

const dayOfMonth = ({ recurrence_config: config }: Template) =>
  'day_of_month' in config ? config.day_of_month : undefined;

/** What must be equal for two templates to be shown and edited as one quincena. */
const sharedOf = (template: Template): string => {
  const { description, base_amount, currency, amount_changes, active } = template;
  const { payment_method: method, budget, starts_on, ends_on, weekend_rule } = template;
  const shared = [description, base_amount, currency, amount_changes, active, method, budget];
  return JSON.stringify([...shared, starts_on, ends_on, weekend_rule]);
};

/** The templates by what they are for: the two of a quincena together, that of the 15th first. */
export function groupsOf(templates: readonly Template[]): [Template, ...Template[]][] {
  const isMonthly = (template: Template, day: number) =>
    template.recurrence_type === 'monthly' && dayOfMonth(template) === day;
  const pairs = templates.flatMap((first): [Template, Template][] => {
    const isOther = (each: Template) => isMonthly(each, 31) && sharedOf(each) === sharedOf(first);
    const others = isMonthly(first, 15) ? templates.filter(isOther) : [];
    return others.length === 1 && others[0] ? [[first, others[0]]] : [];
  });
  const paired = new Set(pairs.flat());
  return [
    ...templates.filter((each) => !paired.has(each)).map((each): [Template] => [each]),
    ...pairs,
  ];
}

const rule = <Type extends string, Config>(type: Type, first: string, config: Config) => ({
  recurrence_type: type,
  recurrence_config: config,
  reference_date: first,
});

/** `starts_on` for a first day, which may itself move to the Friday before. */
export function startFor(first: string, weekendRule: Schemas['WeekendRule']): string {
  const daysAfterFriday = { 6: 1, 0: 2 }[weekdayOf(first)] ?? 0;
  return weekendRule === 'before' ? addDays(first, -daysAfterFriday) : first;
}

/** How a template recurs every month on the day of a date. */
export const monthly = (date: string) => ({
  recurrence_type: 'monthly' as const,
  recurrence_config: { day_of_month: Number(date.slice(8)), handle_month_end: true },
  reference_date: date,
  starts_on: date,
  weekend_rule: 'keep' as const,
});

/** The same day of a later month, or the last day of that. */
export function monthsLater(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const end = new Date(Date.UTC(year, month + months, 0)).toISOString();
  return `${end.slice(0, 8)}${String(Math.min(day, Number(end.slice(8, 10)))).padStart(2, '0')}`;
}

/** A total in so many parts: the last one has the cents that remain. */
export function instalmentsOf(total: string, count: number): { each: string; last: string } {
  const each = toCents(total) / BigInt(count);
  return { each: fromCents(each), last: fromCents(toCents(total) - each * BigInt(count - 1)) };
}

type Instalments = Omit<NewExpense, 'base_amount' | keyof ReturnType<typeof monthly>> & {
  amount: string;
  due_date: string;
};

/** The cycles that take entries. */
export async function openCycles(): Promise<Cycle[]> {
  const cycles: Cycle[] = [];
  const params = { query: { per_page: 100 } };
  for await (const { data } of client.pages('/cycles', { params })) cycles.push(...data.cycles);
  return cycles.filter(takesEntries);
}

/**
 * Adds a purchase that is paid in monthly parts, and brings them to the cycles where a
 * synchronization changes nothing else. Returns the operations, and whether all cycles have theirs.
 */
export async function addInstalments(purchase: Instalments, count: number) {
  const { amount, due_date: first, ...entry } = purchase;
  const { each, last } = instalmentsOf(amount, count);
  const ends_on = monthsLater(first, count - 1);
  const body = { ...entry, ...monthly(first), ends_on, base_amount: each, last_amount: last };
  const created = await createTemplate('expense', body as NewTemplate);
  const operationIds = [created.operationId];
  const cycles = (await openCycles()).filter(
    (cycle) => cycle.start_date <= ends_on && cycle.end_date >= first,
  );
  let isComplete = true;
  for (const { id } of cycles) {
    const params = { path: { id } };
    const { add, change, remove } = (await client.GET('/cycles/{id}/sync', { params })).data;
    const isAlone = add.every((each) => each.template_id === created.data.id);
    if (isAlone && change.length + remove.length === 0)
      operationIds.push((await queries.send('POST', '/cycles/{id}/sync', { params })).operationId);
    else isComplete = false;
  }
  return { operationIds, isComplete };
}
