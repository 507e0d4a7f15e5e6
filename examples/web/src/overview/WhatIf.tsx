/** Tries changes of the plan without storing them, and finds the pay day on which one fits. */
import { useEffect, useState } from 'react';
import {
  Alert,
  Button,
  CloseButton,
  Drawer,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  compareAmounts,
  fieldErrors,
  isNegative,
  messageOf,
  parseAmount,
  subtractAmounts,
  type Schemas,
} from 'expense-service-client';
import { client, queries, useQuery, type Currency, type Forecast } from '../api';
import { DayField, MoneyField } from '../components/forms';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { firstFit, freedomOf } from './plan';

type Response = Schemas['WhatIfResponse'];
type Change = NonNullable<Schemas['WhatIfDto']['changes']>[number];

const KINDS = ['expense', 'income', 'recurring', 'rate'] as const;

/** A change as it is typed. */
interface Draft {
  kind: (typeof KINDS)[number];
  description: string;
  /** For `rate`, dollars for one peso. */
  amount: string;
  currency: Currency;
  date: string;
}

interface WhatIfProps {
  opened: boolean;
  forecast: Forecast;
  tried: Response | undefined;
  onTried: (response: Response | undefined) => void;
  onClose: () => void;
}

export function WhatIf({ opened, forecast, tried, onTried, onClose }: WhatIfProps) {
  const { t, language, locale } = useLocale();
  const first: Draft = {
    ...{ kind: 'expense', description: '', amount: '', currency: 'USD', date: forecast.today },
  };
  const [drafts, setDrafts] = useState([first]);
  const [error, setError] = useState<unknown>();
  const [debounced] = useDebouncedValue(drafts, 300);
  const errors = fieldErrors(error, language);
  const { minimum_balance: minimum } = forecast;

  useEffect(() => {
    const changes = debounced.flatMap((draft) => changeOf(draft, locale) ?? []);
    const { abort, signal } = controllerOf();
    if (!opened || changes.length === 0) {
      setError(undefined);
      onTried(undefined);
    } else {
      const body = { set_aside: 'budgets', include: ['days', 'entries'], changes } as const;
      client
        .POST('/forecast', {
          body: { ...body, include: [...body.include], minimum_balance: minimum },
          signal,
        })
        .then(({ data }) => {
          setError(undefined);
          onTried(data);
        })
        .catch((problem: unknown) => {
          if (!signal.aborted) setError(problem);
        });
    }
    return abort;
    // What changes in the plan meanwhile is tried with it.
  }, [debounced, opened, forecast]);

  const change = (index: number, values: Partial<Draft>): void =>
    setDrafts(drafts.map((draft, i) => (i === index ? { ...draft, ...values } : draft)));

  /** Its index in the request, which leaves out what is not complete. */
  const positionOf = (index: number): number =>
    drafts.slice(0, index).filter((draft) => changeOf(draft, locale)).length;

  function discard(): void {
    setDrafts([first]);
    setError(undefined);
    onClose();
  }

  return (
    <Drawer
      opened={opened}
      onClose={discard}
      position="right"
      size={416}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      title={t.overview.whatIfTitle}
      closeButtonProps={{ 'aria-label': t.do.close }}
    >
      <Stack>
        <p className="muted">{t.overview.whatIfHelp}</p>
        {drafts.map((draft, index) => (
          <DraftFields
            key={index}
            draft={draft}
            forecast={forecast}
            error={(field) => errors[`changes.${positionOf(index)}.${field}`]}
            onChange={(values) => change(index, values)}
            onRemove={
              drafts.length > 1 ? () => setDrafts(drafts.filter((_, i) => i !== index)) : undefined
            }
          />
        ))}
        <Group>
          <Button
            variant="subtle"
            size="xs"
            disabled={drafts.length === 50}
            onClick={() => setDrafts([...drafts, first])}
          >
            + {t.overview.anotherChange}
          </Button>
        </Group>
        {error !== undefined && Object.keys(errors).length === 0 && (
          <Alert color="red" role="alert">
            {messageOf(error, language)}
          </Alert>
        )}
        {tried && (
          <>
            <Differences response={tried} />
            <Verdict
              response={tried}
              onUse={drafts.length === 1 ? (date) => change(0, { date }) : undefined}
            />
          </>
        )}
        <AddToPlan
          drafts={drafts}
          forecast={forecast}
          isReady={tried !== undefined}
          onDone={discard}
        />
      </Stack>
    </Drawer>
  );
}

/** A controller whose functions need no object. */
function controllerOf(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** What is sent, or undefined while something is missing. */
function changeOf({ kind, ...draft }: Draft, locale: string): Change | undefined {
  const { currency, date } = draft;
  if (kind === 'rate') {
    const rate = draft.amount.replace(',', '.');
    return /^\d+(\.\d+)?$/.test(rate) ? { op: 'exchange_rate', rate, from: date } : undefined;
  }
  const amount = parseAmount(draft.amount, locale);
  if (amount === undefined || !date) return undefined;
  const description = draft.description || '?';
  return kind === 'recurring'
    ? {
        op: 'add_expense_template',
        ...monthly({ description, currency, date }),
        base_amount: amount,
      }
    : { op: `add_${kind}`, description, currency, amount, date };
}

/** A template that recurs every month on the day of a date. */
const monthly = (values: { description: string; currency: Currency; date: string }) => ({
  description: values.description,
  currency: values.currency,
  recurrence_type: 'monthly' as const,
  recurrence_config: { day_of_month: Number(values.date.slice(8)), handle_month_end: true },
  reference_date: values.date,
  starts_on: values.date,
});

interface DraftFieldsProps {
  draft: Draft;
  forecast: Forecast;
  error: (field: string) => string | undefined;
  onChange: (values: Partial<Draft>) => void;
  onRemove: (() => void) | undefined;
}

function DraftFields({ draft, forecast, error, onChange, onRemove }: DraftFieldsProps) {
  const { t } = useLocale();
  const { kind, description, amount, currency, date } = draft;
  return (
    <Stack gap="xs">
      <Group wrap="nowrap">
        <SegmentedControl
          fullWidth
          flex={1}
          aria-label={t.overview.kindLabel}
          value={kind}
          onChange={(value) => onChange({ kind: value as Draft['kind'] })}
          data={KINDS.map((value) => ({ value, label: t.overview.kinds[value] }))}
        />
        {onRemove && <CloseButton aria-label={t.overview.removeChange} onClick={onRemove} />}
      </Group>
      {kind !== 'rate' && (
        <TextInput
          label={t.fields.description}
          value={description}
          maxLength={200}
          error={error('description')}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      )}
      <Group grow align="start">
        {kind === 'rate' ? (
          <TextInput
            label={t.overview.rate}
            inputMode="decimal"
            value={amount}
            error={error('rate')}
            onChange={(event) => onChange({ amount: event.currentTarget.value })}
          />
        ) : (
          <MoneyField
            value={amount}
            currency={currency}
            onCurrencyChange={(value) => onChange({ currency: value })}
            error={error('amount') ?? error('base_amount')}
            onChange={(event) => onChange({ amount: event.currentTarget.value })}
          />
        )}
        <DayField
          label={kind === 'rate' ? t.overview.rateFrom : t.fields.date}
          description={kind === 'recurring' ? t.overview.everyMonth : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={date}
          minDate={forecast.today}
          maxDate={forecast.to}
          error={error('date') ?? error('from')}
          onChange={(value) => value && onChange({ date: value })}
        />
      </Group>
    </Stack>
  );
}

function Differences({ response: { base, changed, difference } }: { response: Response }) {
  const { t, usd, day } = useLocale();
  const { payDay, until } = freedomOf(base);
  const row = (label: string, now: ReactParts, then: ReactParts, by: string) => (
    <Table.Tr>
      <Table.Td>{label}</Table.Td>
      {[now, then].map(({ amount, day: date }, i) => (
        <Table.Td key={i} className="num">
          {usd(amount)}
          {date && <div className="detail muted">{date}</div>}
        </Table.Td>
      ))}
      <Table.Td className={`num ${isNegative(by) ? 'danger' : ''}`}>{usd(by, 'always')}</Table.Td>
    </Table.Tr>
  );
  const lowest = ({ lowest: { balance, date } }: Forecast) => ({ amount: balance, day: day(date) });
  return (
    <Table horizontalSpacing={4} aria-label={t.overview.whatIfTitle}>
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          <Table.Th ta="right">{t.overview.now}</Table.Th>
          <Table.Th ta="right">{t.overview.withIt}</Table.Th>
          <Table.Th ta="right">{t.overview.difference}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {row(
          t.overview.freeUntil(day(payDay ?? until, 'day')),
          { amount: freedomOf(base).free },
          { amount: freedomOf(changed).free },
          difference.free,
        )}
        {row(t.overview.lowest, lowest(base), lowest(changed), difference.lowest_balance)}
        {row(
          t.overview.balanceOn(day(base.to, 'day')),
          { amount: base.closing_balance },
          { amount: changed.closing_balance },
          difference.closing_balance,
        )}
      </Table.Tbody>
    </Table>
  );
}

interface ReactParts {
  amount: string;
  day?: string;
}

interface VerdictProps {
  response: Response;
  /** Moves the change to another day; undefined for several changes. */
  onUse: ((date: string) => void) | undefined;
}

/** Whether it fits, and otherwise from which pay day on. */
function Verdict({ response: { base, changed, difference }, onUse }: VerdictProps) {
  const { t, usd, day } = useLocale();
  const { short, free } = freedomOf(changed);
  if (!short) {
    return (
      <Alert color="accent" title={t.overview.fits} role="status">
        {t.overview.fitsLeaves(usd(free))}
      </Alert>
    );
  }
  // A single expense takes the same from every later day.
  const cost = subtractAmounts('0.00', difference.closing_balance);
  const fit = compareAmounts(cost, '0.00') > 0 && onUse ? firstFit(base, cost) : undefined;
  return (
    <Alert
      color="red"
      title={t.overview.runsShort(day(short.date, 'long'), usd(short.by))}
      role="status"
    >
      {fit && onUse ? (
        <>
          <Text size="sm">{t.overview.fitsLater(day(fit.date, 'long'), usd(fit.leaves))}</Text>
          <Button mt="xs" size="xs" variant="default" onClick={() => onUse(fit.date)}>
            {t.overview.useDay(day(fit.date, 'day'))}
          </Button>
        </>
      ) : (
        onUse && t.overview.fitsNever
      )}
    </Alert>
  );
}

interface AddToPlanProps {
  drafts: Draft[];
  forecast: Forecast;
  isReady: boolean;
  onDone: () => void;
}

/** Stores a single change: an entry of the cycle that includes its day, or a template. */
function AddToPlan({ drafts, forecast, isReady, onDone }: AddToPlanProps) {
  const { t, locale } = useLocale();
  const { write, isSaving } = useWrite();
  const methods = useQuery(
    queries.query('/payment-methods', { params: { query: { active: true } } }),
  );
  const [chosen, setMethod] = useState<string | null>(null);
  const [draft] = drafts;
  const method = chosen ?? methods.data?.[0]?.id;
  const amount = draft && parseAmount(draft.amount, locale);
  const cycle = forecast.cycles.find(
    ({ id, start_date: from, end_date: to }) =>
      id !== null && draft && from <= draft.date && draft.date <= to,
  );
  const isOne = drafts.length === 1 && draft?.kind !== 'rate' && draft?.description;
  const hasPlace = draft?.kind === 'recurring' || cycle;

  async function add(): Promise<void> {
    if (!draft || !amount || !method) return;
    const { description, currency, date, kind } = draft;
    const params = { path: { cycle_id: cycle?.id ?? '' } };
    const entry = { description, currency, amount, payment_method_id: method };
    const isAdded = await write({
      name: description,
      done: t.done.saved(description),
      send: () => {
        if (kind === 'income') {
          const body = { ...entry, income_date: date };
          return queries.send('POST', '/cycles/{cycle_id}/incomes', { params, body });
        }
        if (kind === 'expense') {
          const body = { ...entry, due_date: date, category: 'variable' as const };
          return queries.send('POST', '/cycles/{cycle_id}/expenses', { params, body });
        }
        const body = {
          ...monthly(draft),
          ...{ base_amount: amount, payment_method_id: method, category: 'fixed' as const },
        };
        return queries.send('POST', '/expense-templates', { body });
      },
    });
    if (isAdded) onDone();
  }

  return (
    <>
      {isOne && (
        <Select
          label={t.fields.paymentMethod}
          data={methods.data?.map(({ id, name }) => ({ value: id, label: name }))}
          value={method ?? null}
          onChange={setMethod}
          allowDeselect={false}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t.overview.discard}
        </Button>
        <Button
          disabled={!isReady || !isOne || !hasPlace || isSaving}
          aria-busy={isSaving}
          onClick={() => void add()}
        >
          {t.overview.addToPlan}
        </Button>
      </Group>
    </>
  );
}
