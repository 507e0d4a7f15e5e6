/** Tries changes of the plan without storing them, and finds the pay day on which one fits. */
import { useEffect, useState } from 'react';
import { Alert, Button, Drawer, Group, Stack } from '@mantine/core';
import {
  compareAmounts,
  explainFree,
  fieldErrors,
  firstFit,
  messageOf,
} from 'expense-service-client';
import { isNegative, subtractAmounts, type Schemas } from 'expense-service-client';
import { client, queries, useQuery, type Currency, type Forecast } from '../api';
import { DataTable } from '../components/DataTable';
import { Removable } from '../components/Page';
import { FieldError, RecordForm } from '../components/RecordForm';
import { usePreview } from '../components/usePreview';
import { addEntry } from '../entries/entry';
import { CycleNeeded } from '../entries/EntryForm';
import { useLocale } from '../locale';
import { createTemplate, monthly, type Template } from '../planning/templates';
import { useDone } from '../write';
import { withoutLate } from './plan';

const ACTIVE = { params: { query: { active: true } } };

type Response = Schemas['WhatIfResponse'];
type Change = NonNullable<Schemas['WhatIfDto']['changes']>[number];

interface Draft {
  kind: 'expense' | 'income' | 'recurring' | 'rate' | 'pause' | 'change';
  description: string;
  amount: string;
  currency: Currency;
  date: string;
  payment_method_id: string;
  /** Dollars for one peso. */
  rate: string;
  /** Of a template: the first day, and the last one of a pause. */
  template_id: string;
  from: string;
  to: string;
  new_amount: string;
}

const isEntry = ({ kind }: Draft): boolean => kind === 'expense' || kind === 'income';
/** Whether it can be stored. */
const canBeAdded = (draft: Draft): boolean => isEntry(draft) || draft.kind === 'recurring';
const isOfTemplate = ({ kind }: Draft): boolean => kind === 'pause' || kind === 'change';

interface WhatIfProps {
  opened: boolean;
  forecast: Forecast;
  onTried: (response: Response | undefined) => void;
  onClose: () => void;
}

export function WhatIf({ opened, ...props }: WhatIfProps) {
  const { t } = useLocale();
  return (
    <Drawer
      {...{ opened, position: 'right', size: 416, title: t.overview.whatIfTitle }}
      {...{ withOverlay: false, lockScroll: false, trapFocus: false, onClose: props.onClose }}
      closeButtonProps={{ 'aria-label': t.do.close }}
    >
      <Changes {...props} />
    </Drawer>
  );
}

/** Changes that are tried together, and the form of one more. */
function Changes({ forecast, onTried, onClose }: Omit<WhatIfProps, 'opened'>) {
  const { t, day, money } = useLocale();
  const showDone = useDone();
  const texts = t.overview;
  const { changes: words } = texts;
  const [list, setList] = useState<readonly Draft[]>([]);
  const [count, setCount] = useState(0);
  const expenses = useQuery(queries.query('/expense-templates', ACTIVE)).data ?? [];
  const incomes = useQuery(queries.query('/income-templates', ACTIVE)).data ?? [];
  const templates: Template[] = [...expenses, ...incomes];
  const templateOf = ({ template_id }: Draft) => templates.find(({ id }) => id === template_id);

  function textOf(draft: Draft): string {
    const { kind, description, amount, currency, date, from, to, rate, new_amount } = draft;
    const template = templateOf(draft);
    const name = template?.description ?? description;
    if (kind === 'rate') return words.rateFrom(rate, day(date, 'day'));
    if (kind === 'pause') return words.paused(name, day(from, 'day'), day(to, 'day'));
    if (kind !== 'change') return `${name} · ${money(amount, currency)} · ${day(date, 'day')}`;
    const text = t.planning.template.changesOn;
    return `${name} · ${text(money(new_amount, template?.currency ?? 'USD'), day(from, 'day'))}`;
  }
  /** Where there is a list, nothing has to be added to it. */
  const isBlank = ({ description, amount, rate, template_id, new_amount }: Draft) =>
    list.length > 0 && !(description || amount || rate || template_id || new_amount);
  const withDraft = (draft: Draft) => (isBlank(draft) ? list : [...list, draft]);

  async function send(draft: Draft, isAnother: boolean): Promise<void> {
    const all = withDraft(draft);
    if (!isBlank(draft) && !changeOf(draft)) throw new FieldError('rate', t.fields.invalidAmount);
    if (isAnother) {
      setList(all);
      return setCount(count + 1);
    }
    const operations: (string | undefined)[] = [];
    for (const each of all) {
      const sent = await add(each);
      if (!sent) throw new FieldError('date', `${each.description}: ${t.entries.noCycle}`);
      operations.push(sent.operationId);
      // What is added is not added again after an error.
      setList((drafts) => drafts.filter((other) => other !== each));
    }
    showDone(t.done.saved(all.map(({ description }) => description).join(', ')), ...operations);
    onClose();
  }

  const [half, optional] = [true, isBlank];
  return (
    <>
      <span className="muted">{texts.whatIfHelp}</span>
      <Group gap={8} my="sm">
        {list.map((draft, i) => (
          <Removable
            key={i}
            text={textOf(draft)}
            label={t.planning.template.remove(textOf(draft))}
            onRemove={() => setList(list.filter((each) => each !== draft))}
          />
        ))}
      </Group>
      <RecordForm<Draft>
        key={count}
        fields={{
          kind: { label: texts.kindLabel, kind: 'chips', options: texts.kinds, value: 'expense' },
          description: { label: t.fields.description, when: canBeAdded, optional },
          amount: {
            ...{ label: t.fields.amount, kind: 'money', currency: 'currency' },
            ...{ half, when: canBeAdded, optional },
          },
          rate: {
            ...{ label: texts.rate, placeholder: '0.055', half, optional },
            when: ({ kind }) => kind === 'rate',
          },
          date: {
            ...{ label: t.fields.date, kind: 'day', half, value: forecast.today },
            when: (draft) => !isOfTemplate(draft),
            description: ({ kind }) => kind === 'recurring' && texts.everyMonth,
          },
          currency: { value: 'USD' },
          payment_method_id: {
            ...{ label: t.fields.paymentMethod, of: '/payment-methods', optional },
            when: canBeAdded,
          },
          template_id: {
            ...{ label: words.template, when: isOfTemplate, optional },
            options: Object.fromEntries(templates.map(({ id, description }) => [id, description])),
          },
          from: {
            ...{ label: texts.from, kind: 'day', half, value: forecast.today },
            when: isOfTemplate,
          },
          to: {
            ...{ label: texts.to, kind: 'day', half, optional },
            when: ({ kind }) => kind === 'pause',
          },
          new_amount: {
            ...{ label: t.planning.template.newAmount, kind: 'money', half, optional },
            ...{ when: ({ kind }) => kind === 'change' },
            unit: (draft) => templateOf(draft)?.currency ?? 'USD',
          },
        }}
        send={send}
        another={words.another}
        label={(draft) => (withDraft(draft).every(canBeAdded) ? texts.addToPlan : undefined)}
        onCancel={onClose}
      >
        {(draft, set) => (
          <>
            <Trial {...{ list, draft, forecast, onTried }} onUse={(date) => set('date', date)} />
            {isEntry(draft) && <CycleNeeded date={draft.date} onLeave={onClose} />}
          </>
        )}
      </RecordForm>
    </>
  );
}

/** Stores it; undefined where no cycle has its day. */
async function add(draft: Draft) {
  const { kind, date, description, amount, currency, payment_method_id } = draft;
  const body = { description, amount, currency, payment_method_id };
  if (kind === 'income') return addEntry({ ...body, income_date: date });
  return kind === 'expense'
    ? addEntry({ ...body, due_date: date, category: 'variable' })
    : createTemplate('expense', { ...body, ...monthly(date), base_amount: amount });
}

const isAmount = (text: string | null): boolean => /^\d+\.\d\d$/.test(text ?? '');

/** What is tried, or undefined while something is missing. */
function changeOf(draft: Draft): Change | undefined {
  const { kind, description, amount, currency, date, template_id, from, to } = draft;
  const entry = { description: description || '?', currency };
  const isDated = date && isAmount(amount);
  switch (kind) {
    case 'rate': {
      const rate = draft.rate?.replace(',', '.');
      return Number(rate) > 0 ? { op: 'exchange_rate', rate, from: date } : undefined;
    }
    case 'pause':
      return template_id && from && to ? { op: 'skip_template', template_id, from, to } : undefined;
    case 'change':
      return template_id && from && isAmount(draft.new_amount)
        ? { op: 'change_template', template_id, from, amount: draft.new_amount }
        : undefined;
    case 'recurring':
      return isDated
        ? { op: 'add_expense_template', ...entry, ...monthly(date), base_amount: amount }
        : undefined;
    default:
      return isDated ? { op: `add_${kind}`, ...entry, amount, date } : undefined;
  }
}

async function compute(body: Schemas['WhatIfDto'], signal: AbortSignal) {
  const { data } = await client.POST('/forecast', { body, signal });
  return { data: { ...data, base: withoutLate(data.base), changed: withoutLate(data.changed) } };
}

interface TrialProps extends Pick<WhatIfProps, 'forecast' | 'onTried'> {
  list: readonly Draft[];
  draft: Draft;
  /** Moves the change to another day. */
  onUse: (date: string) => void;
}

function Trial({ list, draft, forecast, onTried, onUse }: TrialProps) {
  const { t, language, usd, day } = useLocale();
  const texts = t.overview;
  const changes = [...list, draft].flatMap((each) => changeOf(each) ?? []);
  const body = {
    set_aside: 'budgets' as const,
    ...{ include: ['days', 'entries'] as ('days' | 'entries')[] },
  };
  const isAny = changes.length > 0;
  const { data, error } = usePreview(isAny ? { ...body, changes } : undefined, compute, forecast);
  useEffect(() => {
    onTried(data);
    return () => onTried(undefined);
  }, [data]);
  if (error !== undefined) {
    const [problem = messageOf(error, language)] = Object.values(fieldErrors(error, language));
    return <Alert color="red" role="alert" mt="md" children={problem} />;
  }
  if (!data) return null;
  const { base, changed, difference } = data;
  const lowest = ({ lowest: { balance, date } }: Forecast) => [balance, day(date)] as const;
  const rows = [
    {
      label: texts.freeUntil(day(explainFree(base).payDay ?? base.to, 'day')),
      ...{ now: [explainFree(base).free], then: [explainFree(changed).free], by: difference.free },
    },
    {
      label: texts.lowest,
      ...{ now: lowest(base), then: lowest(changed), by: difference.lowest_balance },
    },
    {
      label: texts.balanceOn(day(base.to, 'day')),
      ...{ now: [base.closing_balance], then: [changed.closing_balance] },
      by: difference.closing_balance,
    },
  ];
  const amount = ([value = '0.00', date]: readonly string[]) => (
    <>
      {usd(value)}
      <div className="detail muted">{date}</div>
    </>
  );
  return (
    <Stack mt="md" gap={0}>
      <DataTable
        label={texts.whatIfTitle}
        groups={[{ items: rows }]}
        columns={[
          { cell: ({ label }) => label },
          { title: texts.now, isEnd: true, cell: ({ now }) => amount(now) },
          { title: texts.withIt, isEnd: true, cell: ({ then }) => amount(then) },
          {
            ...{ title: texts.difference, isEnd: true },
            cell: ({ by }) => (
              <span className={isNegative(by) ? 'danger' : undefined}>{usd(by, 'always')}</span>
            ),
          },
        ]}
      />
      {list.length > 0 ? (
        <Verdict {...data} />
      ) : (
        (draft.kind === 'expense' || draft.kind === 'recurring') && (
          <Verdict {...{ ...data, onUse }} />
        )
      )}
    </Stack>
  );
}

/** Whether it fits, and otherwise, for a single expense, from which pay day on. */
function Verdict({ base, changed, difference, onUse }: Response & Partial<TrialProps>) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const { short, free } = explainFree(changed);
  if (!short) {
    return (
      <Alert color="accent" title={texts.fits} role="status">
        {texts.fitsLeaves(usd(free))}
      </Alert>
    );
  }
  // A single expense takes the same from every later day.
  const cost = subtractAmounts('0.00', difference.closing_balance);
  const fit = compareAmounts(cost, '0.00') > 0 ? firstFit(base, cost) : undefined;
  const title = texts.runsShort(day(short.date, 'long'), usd(short.by));
  return (
    <Alert color="red" title={title} role="status">
      {onUse && (fit ? texts.fitsLater(day(fit.date, 'long'), usd(fit.leaves)) : texts.fitsNever)}
      {onUse && fit && (
        <Button mt="xs" size="xs" variant="default" display="block" onClick={() => onUse(fit.date)}>
          {texts.useDay(day(fit.date, 'day'))}
        </Button>
      )}
    </Alert>
  );
}
