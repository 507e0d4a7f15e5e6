/** Tries changes of the plan without storing them, and finds the pay day on which one fits. */
import { useState } from 'react';
import { Drawer, Group, Select, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { pesosPerDollar } from '../accounts/account';
import { queries, useQuery, type Currency, type Forecast } from '../api';
import { FieldError, Form } from '../components/Form';
import {
  ChipsInput,
  DayInput,
  MoneyInput,
  optionsOf,
  RecordSelect,
  useRules,
} from '../components/inputs';
import { Removable } from '../components/Page';
import { CycleNeeded } from '../entries/EntryForm';
import { useLocale } from '../locale';
import type { Template } from '../planning/templates';
import { useDone } from '../write';
import {
  addDraft,
  canBeAdded,
  isBlank,
  isEntry,
  isOfTemplate,
  isRate,
  newDraft,
  rateOf,
  type Draft,
} from './draft';
import { Trial, type Tried } from './Trial';

const ACTIVE = { params: { query: { active: true } } };

interface WhatIfProps {
  opened: boolean;
  forecast: Forecast;
  /** Of what is tried at first. */
  currency: Currency;
  onTried: (tried: Tried | undefined) => void;
  onClose: () => void;
}

export function WhatIf({ opened, ...props }: WhatIfProps) {
  const { t } = useLocale();
  return (
    <Drawer
      opened={opened}
      position="right"
      size={416}
      title={t.overview.whatIfTitle}
      withOverlay={false}
      lockScroll={false}
      onClose={props.onClose}
      closeButtonProps={{ 'aria-label': t.do.close }}
    >
      <Changes {...props} />
    </Drawer>
  );
}

/** Changes that are tried together, and the form of one more. */
function Changes({ forecast, currency, onTried, onClose }: Omit<WhatIfProps, 'opened'>) {
  const { t } = useLocale();
  const showDone = useDone();
  const texts = t.overview;
  const [list, setList] = useState<readonly Draft[]>([]);
  const expenses = useQuery(queries.query('/expense-templates', ACTIVE)).data ?? [];
  const incomes = useQuery(queries.query('/income-templates', ACTIVE)).data ?? [];
  const templates: Template[] = [...expenses, ...incomes];
  const textOf = useDraftText(templates);
  const form = useDraft(newDraft(forecast.today, currency), list.length > 0);
  const draft = form.values;
  /** Where there is a list, nothing has to be added to it. */
  const all = list.length > 0 && isBlank(draft) ? list : [...list, draft];

  async function send(_draft: Draft, isAnother: boolean): Promise<void> {
    if (isAnother) {
      setList(all);
      return form.reset();
    }
    const operations: (string | undefined)[] = [];
    for (const each of all) {
      const sent = await addDraft(each);
      if (!sent) throw new FieldError('date', `${each.description}: ${t.entries.noCycle}`);
      operations.push(sent.operationId);
      // What is added is not added again after an error.
      setList((drafts) => drafts.filter((other) => other !== each));
    }
    showDone(t.done.saved(all.map(({ description }) => description).join(', ')), ...operations);
    onClose();
  }

  return (
    <>
      <span className="muted">{texts.whatIfHelp}</span>
      <Group gap={8} my="sm">
        {list.map((each, i) => (
          <Removable
            key={i}
            text={textOf(each)}
            label={t.planning.template.remove(textOf(each))}
            onRemove={() => setList(list.filter((other) => other !== each))}
          />
        ))}
      </Group>
      <Form
        form={form}
        send={send}
        label={all.every(canBeAdded) ? texts.addToPlan : undefined}
        another={texts.changes.another}
        onCancel={onClose}
      >
        <DraftInputs form={form} templates={templates} />
        <Trial
          drafts={all}
          forecast={forecast}
          onTried={onTried}
          onUse={(date) => form.setFieldValue('date', date)}
        />
        {isEntry(draft) && <CycleNeeded date={draft.date} onLeave={onClose} />}
      </Form>
    </>
  );
}

/** `mayBeBlank`: nothing has to be added to what is there. */
function useDraft(initialValues: Draft, mayBeBlank: boolean) {
  const { t } = useLocale();
  const { required, amount } = useRules();
  return useForm<Draft>({
    initialValues,
    validate: (draft) => {
      if (mayBeBlank && isBlank(draft)) return {};
      const { kind } = draft;
      return {
        date: required(draft.date),
        description: canBeAdded(draft) && required(draft.description),
        amount: canBeAdded(draft) && amount(draft.amount),
        new_amount: kind === 'change' && amount(draft.new_amount),
        payment_method_id: canBeAdded(draft) && required(draft.payment_method_id),
        rate: kind === 'rate' && !isRate(draft) && t.fields.invalidAmount,
        template_id: isOfTemplate(draft) && required(draft.template_id),
        to: kind === 'pause' && required(draft.to),
      };
    },
  });
}

interface DraftInputsProps {
  form: UseFormReturnType<Draft>;
  templates: readonly Template[];
}

function DraftInputs({ form, templates }: DraftInputsProps) {
  const { t, locale } = useLocale();
  const texts = t.overview;
  const draft = form.values;
  const { kind } = draft;
  const template = templates.find(({ id }) => id === draft.template_id);
  return (
    <>
      <ChipsInput
        label={texts.kindLabel}
        data={optionsOf(texts.kinds)}
        {...form.getInputProps('kind')}
      />
      {canBeAdded(draft) && (
        <>
          <TextInput label={t.fields.description} {...form.getInputProps('description')} />
          <MoneyInput
            label={t.fields.amount}
            currencyProps={form.getInputProps('currency')}
            {...form.getInputProps('amount')}
          />
        </>
      )}
      {isOfTemplate(draft) && (
        <Select
          label={texts.changes.template}
          searchable
          data={templates.map(({ id, description }) => ({ value: id, label: description }))}
          {...form.getInputProps('template_id')}
        />
      )}
      <Group grow align="flex-start">
        {kind === 'rate' && (
          <TextInput
            label={texts.rate}
            placeholder="0.055"
            description={
              isRate(draft) && texts.pesosPerDollar(pesosPerDollar(rateOf(draft), locale))
            }
            inputMode="decimal"
            {...form.getInputProps('rate')}
          />
        )}
        {kind === 'change' && (
          <MoneyInput
            label={t.planning.template.newAmount}
            currency={template?.currency}
            {...form.getInputProps('new_amount')}
          />
        )}
        <DayInput
          label={isOfTemplate(draft) ? texts.from : t.fields.date}
          description={kind === 'recurring' && texts.everyMonth}
          {...form.getInputProps('date')}
        />
        {kind === 'pause' && <DayInput label={texts.to} {...form.getInputProps('to')} />}
        {canBeAdded(draft) && (
          <RecordSelect
            of="/payment-methods"
            label={t.fields.paymentMethod}
            {...form.getInputProps('payment_method_id')}
          />
        )}
      </Group>
    </>
  );
}

/** `Washing machine · 4,500.00 MXN · 10 Dec`. */
function useDraftText(templates: readonly Template[]): (draft: Draft) => string {
  const { t, locale, day, money } = useLocale();
  const texts = t.overview;
  return (draft) => {
    const { kind, description, amount, currency, date, to, template_id, new_amount } = draft;
    const template = templates.find(({ id }) => id === template_id);
    const name = template?.description ?? description;
    const from = day(date, 'day');
    if (kind === 'rate')
      return `${texts.pesosPerDollar(pesosPerDollar(rateOf(draft), locale))} · ${from}`;
    if (kind === 'pause') return texts.changes.paused(name, from, day(to, 'day'));
    if (kind !== 'change') return `${name} · ${money(amount, currency)} · ${from}`;
    const changed = money(new_amount, template?.currency ?? 'USD');
    return `${name} · ${t.planning.template.changesOn(changed, from)}`;
  };
}
