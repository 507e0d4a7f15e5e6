/** States what a payment method has, and asks first what has gone out or arrived already. */
import { useState } from 'react';
import { Checkbox, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { addAmounts, dayOf, daysBetween, isNegative } from 'expense-service-client';
import { reasonMessage, subtractAmounts, type Schemas } from 'expense-service-client';
import { queries, useQuery, type Currency } from '../api';
import { Amount } from '../components/Page';
import { Panel } from '../components/Panel';
import { FieldError, Form } from '../components/Form';
import { DayInput, isAmount, MoneyInput, useRules } from '../components/inputs';
import { useLocale } from '../locale';
import { usePlan } from '../overview/usePlan';
import { useDone } from '../write';
import { instantOf, totalOf, unsettledOf, type Holding, type Unsettled } from './account';

/** How much more or less than expected there is. */
export function useDifference(): (difference: string, currency: Currency) => string {
  const { t, money } = useLocale();
  return (difference, currency) => {
    if (difference === '0.00') return t.accounts.asExpected;
    const sign = isNegative(difference) ? 'less' : 'more';
    return t.accounts[sign](money(difference.replace('-', ''), currency));
  };
}

interface Statement {
  amount: string;
  /** A day that is over, at whose end there was the amount; today or null: now. */
  day: string | null;
}

interface BankSaysProps {
  /** Of the payment method. */
  id: string;
  name: string;
  currency: Currency;
  /** Whether it is cash, which no bank counts. */
  isCash: boolean;
  /** What it has; undefined: nobody has said that yet. */
  holding: Holding | undefined;
  holdings: Schemas['CurrentBalancesResponse'];
  user: Schemas['UserResponse'];
  onClose: () => void;
}

export function BankSays({ id, name, currency, holding, holdings, user, ...props }: BankSaysProps) {
  const { isCash, onClose } = props;
  const { t, language, money } = useLocale();
  const texts = t.accounts;
  const differenceText = useDifference();
  const showDone = useDone();
  const plan = usePlan(user).data;
  const [marks, setMarks] = useState<string[]>([]);
  const { today, time_zone: zone } = user;
  // Where it has another currency now, what was stated before says nothing about it.
  const last = holding?.currency === currency ? holding : undefined;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const form = useForm<Statement>({
    initialValues: { amount: '', day: null },
    validate: { amount: useRules().amount },
  });
  const { amount, day } = form.values;
  const pastDay = day && day < today ? day : undefined;
  const open = (plan ? unsettledOf(plan, { id, holdings, methods }) : []).filter(
    ({ date }) => date <= (pastDay ?? today),
  );
  const marked = open.filter((entry) => marks.includes(entry.id));

  /** After what was stated last, and before what is stated; undefined: now. */
  function settledAt(entry: Unsettled): string | undefined {
    const noon = instantOf(entry.date, '12:00:00', zone);
    const isBetween = noon > (last?.stated_at ?? '') && noon < new Date().toISOString();
    return pastDay || isBetween ? noon : undefined;
  }

  async function save(): Promise<void> {
    if (day && day > today) throw new FieldError('day', reasonMessage('out_of_order', language));
    const operations: (string | undefined)[] = [];
    for (const entry of marked) {
      operations.push((await entry.settle(settledAt(entry))).operationId);
    }
    const body = {
      balances: [{ payment_method_id: id, amount }],
      ...(pastDay && { stated_at: instantOf(pastDay, '23:59:59', zone) }),
    };
    const { data, operationId } = await queries.send('POST', '/balances', { body });
    const { difference = null } = data.balances[0] ?? {};
    const done = [
      texts.has(name, money(amount, currency)),
      ...(difference === null ? [] : [differenceText(difference, currency)]),
    ];
    showDone(done.join(', '), ...operations, operationId);
    onClose();
  }

  /** How far it is from what it should have; on another day the service says that afterwards. */
  function missing(): string | undefined {
    if (!last || pastDay) return undefined;
    const changes = totalOf(marked, currency, holdings.exchange_rate?.rate);
    return subtractAmounts(amount, addAmounts(last.amount, changes));
  }

  return (
    <Panel onClose={onClose}>
      <Form form={form} send={save} label={t.do.save} onCancel={onClose}>
        <Group grow align="flex-start">
          <MoneyInput
            label={isCash ? texts.cashAmount : texts.amount}
            currency={currency}
            {...form.getInputProps('amount')}
          />
          <DayInput
            label={texts.day}
            placeholder={texts.now}
            clearable
            {...form.getInputProps('day')}
          />
        </Group>
        {isAmount(amount) && (
          <Question
            missing={missing()}
            currency={currency}
            since={last && dayOf(last.stated_at, zone)}
            open={open}
            marks={marks}
            onMarks={setMarks}
            dayOfSettling={(entry) => {
              const at = settledAt(entry);
              return at ? dayOf(at, zone) : today;
            }}
            today={today}
          />
        )}
      </Form>
    </Panel>
  );
}

interface QuestionProps {
  /** How far the amount is from what was expected; undefined: nobody knows. */
  missing: string | undefined;
  currency: Currency;
  /** The day on which a balance was stated last. */
  since: string | undefined;
  open: Unsettled[];
  marks: string[];
  onMarks: (ids: string[]) => void;
  dayOfSettling: (entry: Unsettled) => string;
  today: string;
}

/** Whether the amount is what was expected, and what of what is open explains that it is not. */
function Question({ missing, currency, since, open, marks, onMarks, ...props }: QuestionProps) {
  const { dayOfSettling, today } = props;
  const { t, day } = useLocale();
  const texts = t.accounts;
  const differenceText = useDifference();
  const isExpected = missing === '0.00';
  const isExplained = isExpected && open.some(({ id }) => marks.includes(id));

  function detailOf(entry: Unsettled): string {
    const { id, date, isIncome } = entry;
    if (marks.includes(id)) {
      const state = isIncome ? t.status.received : t.status.paid;
      return `${state} ${day(dayOfSettling(entry))}`;
    }
    const days = daysBetween({ from: date, to: today });
    return days > 0 ? `${day(date)}, ${t.in.late(days)}` : day(date);
  }

  const groups = [
    { label: texts.goneOut, entries: open.filter((each) => !each.isIncome) },
    { label: texts.arrived, entries: open.filter((each) => each.isIncome) },
  ];
  return (
    <Stack gap="sm">
      <p role="status">
        <b>{isExplained ? texts.explained : missing && differenceText(missing, currency)}</b>{' '}
        {missing && !isExpected && since && texts.since(day(since, 'long'))}
      </p>
      {groups
        .filter(({ entries }) => (!isExpected || isExplained) && entries.length > 0)
        .map(({ label, entries }) => (
          <Checkbox.Group key={label} label={label} value={marks} onChange={onMarks}>
            {entries.map((entry) => (
              <Checkbox
                key={entry.id}
                mt="xs"
                value={entry.id}
                description={detailOf(entry)}
                label={
                  <>
                    {entry.name} · <Amount {...entry} />
                  </>
                }
              />
            ))}
          </Checkbox.Group>
        ))}
    </Stack>
  );
}
