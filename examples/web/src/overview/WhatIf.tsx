/** Tries a change of the plan without storing it, and finds the pay day on which it fits. */
import { useEffect, useState } from 'react';
import { Alert, Button, Drawer, Stack } from '@mantine/core';
import {
  compareAmounts,
  explainFree,
  fieldErrors,
  firstFit,
  messageOf,
} from 'expense-service-client';
import { isNegative, subtractAmounts, type Schemas } from 'expense-service-client';
import { client, type Currency, type Forecast } from '../api';
import { Choice } from '../components/Page';
import { DataTable } from '../components/DataTable';
import { FieldError, RecordForm } from '../components/RecordForm';
import { usePreview } from '../components/usePreview';
import { addEntry, type NewEntry } from '../entries/entry';
import { CycleNeeded } from '../entries/EntryForm';
import { useLocale } from '../locale';
import { createTemplate, monthly } from '../planning/templates';
import { useDone } from '../write';
import { withoutLate } from './plan';

type Response = Schemas['WhatIfResponse'];
type Change = NonNullable<Schemas['WhatIfDto']['changes']>[number];

type Kind = 'expense' | 'income' | 'recurring' | 'rate';

interface Draft {
  description: string;
  amount: string;
  currency: Currency;
  /** Dollars for one peso. */
  rate: string;
  date: string;
  payment_method_id: string;
}

interface WhatIfProps {
  opened: boolean;
  forecast: Forecast;
  onTried: (response: Response | undefined) => void;
  onClose: () => void;
}

export function WhatIf({ opened, forecast, onTried, onClose }: WhatIfProps) {
  const { t } = useLocale();
  const showDone = useDone();
  const texts = t.overview;
  const [kind, setKind] = useState<Kind>('expense');
  const isRate = kind === 'rate';
  const isInCycle = kind === 'expense' || kind === 'income';

  async function add({ date, rate: _, ...draft }: Draft): Promise<void> {
    const sent =
      kind === 'recurring'
        ? await createTemplate('expense', { ...draft, ...monthly(date), base_amount: draft.amount })
        : await addEntry({
            ...draft,
            ...(kind === 'expense'
              ? { due_date: date, category: 'variable' }
              : { income_date: date }),
          } as NewEntry);
    if (!sent) throw new FieldError('date', t.entries.noCycle);
    showDone(t.done.saved(draft.description), sent.operationId);
    onClose();
  }

  return (
    <Drawer
      {...{ opened, onClose, position: 'right', size: 416, title: texts.whatIfTitle }}
      {...{ withOverlay: false, lockScroll: false, trapFocus: false }}
      closeButtonProps={{ 'aria-label': t.do.close }}
    >
      <Stack gap="sm" mb="sm">
        <span className="muted">{texts.whatIfHelp}</span>
        <Choice label={texts.kindLabel} options={texts.kinds} value={kind} onChange={setKind} />
      </Stack>
      <RecordForm<Draft>
        fields={{
          description: { label: t.fields.description, when: () => !isRate },
          amount: {
            ...{ label: t.fields.amount, kind: 'money', currency: 'currency' },
            ...{ half: true, when: () => !isRate },
          },
          rate: { label: texts.rate, placeholder: '0.055', half: true, when: () => isRate },
          date: {
            ...{ label: t.fields.date, kind: 'day', half: true, value: forecast.today },
            description: kind === 'recurring' && texts.everyMonth,
          },
          currency: { value: 'USD' },
          payment_method_id: {
            ...{ label: t.fields.paymentMethod, of: '/payment-methods', when: () => !isRate },
          },
        }}
        send={add}
        label={isRate ? undefined : texts.addToPlan}
        onCancel={onClose}
      >
        {(draft, set) => (
          <>
            <Trial {...{ kind, draft, forecast, onTried }} onUse={(date) => set('date', date)} />
            {isInCycle && <CycleNeeded date={draft.date} onLeave={onClose} />}
          </>
        )}
      </RecordForm>
    </Drawer>
  );
}

/** What is tried, or undefined while something is missing. */
function changeOf(kind: Kind, draft: Draft): Change | undefined {
  const { description, amount, currency, rate, date } = draft;
  if (kind === 'rate') {
    const number = rate?.replace(',', '.');
    return Number(number) > 0 ? { op: 'exchange_rate', rate: number, from: date } : undefined;
  }
  if (!date || !/^\d+\.\d\d$/.test(amount)) return undefined;
  const entry = { description: description || '?', currency };
  return kind === 'recurring'
    ? { op: 'add_expense_template', ...entry, ...monthly(date), base_amount: amount }
    : { op: `add_${kind}`, ...entry, amount, date };
}

async function compute(body: Schemas['WhatIfDto'], signal: AbortSignal) {
  const { data } = await client.POST('/forecast', { body, signal });
  return { data: { ...data, base: withoutLate(data.base), changed: withoutLate(data.changed) } };
}

interface TrialProps extends Pick<WhatIfProps, 'forecast' | 'onTried'> {
  kind: Kind;
  draft: Draft;
  /** Moves the change to another day. */
  onUse: (date: string) => void;
}

function Trial({ kind, draft, forecast, onTried, onUse }: TrialProps) {
  const { t, language, usd, day } = useLocale();
  const texts = t.overview;
  const change = changeOf(kind, draft);
  const body = {
    set_aside: 'budgets' as const,
    ...{ include: ['days', 'entries'] as ('days' | 'entries')[] },
  };
  const { data, error } = usePreview(change && { ...body, changes: [change] }, compute, forecast);
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
    <>
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
      {(kind === 'expense' || kind === 'recurring') && <Verdict {...{ ...data, onUse }} />}
    </>
  );
}

/** Whether it fits, and otherwise from which pay day on. */
function Verdict({ base, changed, difference, onUse }: Response & Pick<TrialProps, 'onUse'>) {
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
      {fit ? texts.fitsLater(day(fit.date, 'long'), usd(fit.leaves)) : texts.fitsNever}
      {fit && (
        <Button mt="xs" size="xs" variant="default" display="block" onClick={() => onUse(fit.date)}>
          {texts.useDay(day(fit.date, 'day'))}
        </Button>
      )}
    </Alert>
  );
}
