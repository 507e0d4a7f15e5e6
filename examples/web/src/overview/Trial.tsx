/** What changes of the plan would do, as figures and in a sentence. */
import { useEffect } from 'react';
import { Alert, Button } from '@mantine/core';
import {
  compareAmounts,
  explainFree,
  fieldErrors,
  firstFit,
  isNegative,
  messageOf,
  subtractAmounts,
  type Schemas,
} from 'expense-service-client';
import { client, type Forecast } from '../api';
import { Pairs } from '../components/Page';
import { usePreview } from '../components/usePreview';
import { useLocale } from '../locale';
import { changeOf, type Draft } from './draft';
import { withoutLate } from './plan';

export type Tried = Schemas['WhatIfResponse'];

async function compute(body: Schemas['WhatIfDto'], signal: AbortSignal) {
  const { data } = await client.POST('/forecast', { body, signal });
  return { data: { ...data, base: withoutLate(data.base), changed: withoutLate(data.changed) } };
}

interface TrialProps {
  /** The last one is what is typed. */
  drafts: readonly Draft[];
  /** It is computed again when this changes. */
  forecast: Forecast;
  onTried: (tried: Tried | undefined) => void;
  /** Moves what is typed to another day. */
  onUse: (date: string) => void;
}

export function Trial({ drafts, forecast, onTried, onUse }: TrialProps) {
  const { language } = useLocale();
  const changes = drafts.flatMap((draft) => changeOf(draft) ?? []);
  const body: Schemas['WhatIfDto'] = {
    set_aside: 'budgets',
    include: ['days', 'entries'],
    changes,
  };
  const { data, error } = usePreview(changes.length > 0 ? body : undefined, compute, forecast);
  useEffect(() => {
    onTried(data);
    return () => onTried(undefined);
  }, [data]);
  if (error !== undefined) {
    const [problem = messageOf(error, language)] = Object.values(fieldErrors(error, language));
    return (
      <Alert color="red" role="alert">
        {problem}
      </Alert>
    );
  }
  if (!data) return null;
  const [first] = drafts;
  const isOne = drafts.length === 1;
  const isCost = first?.kind === 'expense' || first?.kind === 'recurring';
  return (
    <div>
      <Comparison {...data} />
      {(!isOne || isCost) && <Verdict tried={data} onUse={isOne ? onUse : undefined} />}
    </div>
  );
}

/** What there is now and with the changes, and the difference. */
function Comparison({ base, changed, difference }: Tried) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const now = explainFree(base);
  const lowest = ({ lowest: { balance, date } }: Forecast) => `${usd(balance)} (${day(date)})`;
  const pair = (label: string, by: string, was: string, will: string) => {
    const detail = (
      <>
        {was} → <span className="nowrap">{will}</span>
      </>
    );
    return [label, usd(by, 'always'), detail, isNegative(by) ? 'danger' : undefined] as const;
  };
  return (
    <Pairs
      label={texts.whatIfTitle}
      isSum={false}
      pairs={[
        pair(
          texts.freeUntil(day(now.payDay ?? base.to, 'day')),
          difference.free,
          usd(now.free),
          usd(explainFree(changed).free),
        ),
        pair(texts.lowest, difference.lowest_balance, lowest(base), lowest(changed)),
        pair(
          texts.balanceOn(day(base.to, 'day')),
          difference.closing_balance,
          usd(base.closing_balance),
          usd(changed.closing_balance),
        ),
      ]}
    />
  );
}

interface VerdictProps {
  tried: Tried;
  /** Left out: another day is not offered. */
  onUse: ((date: string) => void) | undefined;
}

/** Whether it fits, and otherwise, for a single expense, from which pay day on. */
function Verdict({ tried: { base, changed, difference }, onUse }: VerdictProps) {
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
