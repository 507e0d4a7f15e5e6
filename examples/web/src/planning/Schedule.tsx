/** How often something recurs, from when and until when. */
import { Group, Select, TextInput } from '@mantine/core';
import { recurrenceText, type RecurrenceRule, type Schemas } from 'expense-service-client';
import { DayInput, optionsOf } from '../components/inputs';
import type { Kind } from '../entries/entry';
import { useLocale } from '../locale';
import { fortnightFrom, ruleOf, rulesFrom, startFor, type Template } from './templates';

type Repeats = keyof ReturnType<typeof rulesFrom> | 'present' | 'fortnight';

/** The first values of the inputs. */
export const scheduleValues = (template: Template | undefined, today: string) => ({
  repeats: (template ? 'present' : 'monthly') as Repeats,
  interval: '2',
  unit: 'months' as Schemas['RecurrenceUnit'],
  reference_date: (template?.reference_date ?? today) as string | null,
  ends_on: template?.ends_on ?? null,
  weekend_rule: template?.weekend_rule ?? 'keep',
});

type ScheduleValues = ReturnType<typeof scheduleValues>;

/** By the choices of how often it repeats; a quincena has two rules, which stay. */
function rulesOf(values: ScheduleValues, templates: readonly Template[]) {
  const { reference_date, interval, unit } = values;
  const date = reference_date ?? '';
  const isMoved = date !== templates[0]?.reference_date;
  const present = templates.map((each) => ({
    ...ruleOf(each),
    reference_date: isMoved ? date : each.reference_date,
  }));
  const others = Object.entries(rulesFrom(date, { interval: Number(interval), unit }));
  return {
    ...(templates.length > 0 && { present }),
    ...(templates.length < 2 &&
      Object.fromEntries(others.map(([choice, rule]) => [choice, [rule as RecurrenceRule]]))),
    ...(templates.length === 0 && { fortnight: fortnightFrom(date) }),
  } as Partial<Record<Repeats, RecurrenceRule[]>>;
}

/** What is sent of how each of the templates repeats. */
export function schedulesOf(values: ScheduleValues, templates: readonly Template[]) {
  const { reference_date: first, ends_on, weekend_rule } = values;
  if (!first) return [];
  const isMoved = first !== templates[0]?.reference_date;
  return (rulesOf(values, templates)[values.repeats] ?? []).map((rule, i) => ({
    ...rule,
    starts_on: isMoved ? startFor(first, weekend_rule) : (templates[i]?.starts_on ?? null),
    ends_on,
    weekend_rule,
  }));
}

interface ScheduleProps {
  form: { values: ScheduleValues; getInputProps: (name: string) => object };
  templates: readonly Template[];
  kind: Kind;
}

export function Schedule({ form, templates, kind }: ScheduleProps) {
  const { t, locale } = useLocale();
  const texts = t.planning.template;
  const { values } = form;
  const nameOf = ([choice, [rule, other]]: [string, RecurrenceRule[]]) => {
    if (choice === 'interval') return texts.otherInterval;
    return other || !rule ? texts.fortnight : recurrenceText(rule, locale);
  };
  const rules = values.reference_date ? Object.entries(rulesOf(values, templates)) : [];
  return (
    <>
      <Group grow align="flex-start">
        <DayInput label={texts.firstOn} {...form.getInputProps('reference_date')} />
        <DayInput
          label={texts.endsOn}
          placeholder={texts.noEnd}
          clearable
          {...form.getInputProps('ends_on')}
        />
      </Group>
      <Select
        label={kind === 'income' ? texts.comes : texts.repeats}
        data={rules.map((each) => ({ value: each[0], label: nameOf(each) }))}
        {...form.getInputProps('repeats')}
      />
      {values.repeats === 'interval' && (
        <Group grow align="flex-start">
          <TextInput label={texts.every} inputMode="numeric" {...form.getInputProps('interval')} />
          <Select
            label={texts.unit}
            data={optionsOf(texts.units)}
            {...form.getInputProps('unit')}
          />
        </Group>
      )}
      <Select
        label={texts.weekend}
        data={optionsOf(texts.weekends)}
        {...form.getInputProps('weekend_rule')}
      />
    </>
  );
}
