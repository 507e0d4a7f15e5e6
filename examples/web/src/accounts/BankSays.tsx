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
  /** What it has; undefined: nobody has said that yet. */
  holding: Holding | undefined;
  holdings: Schemas['CurrentBalancesResponse'];
  user: Schemas['UserResponse'];
  onClose: () => void;
}

export function BankSays({ id, name, currency, holding, holdings, user, onClose }: BankSaysProps) {
  const { t, language, day: dayText, money } = useLocale();
  const texts = t.accounts;
  const differenceText = useDifference();
  const showDone = useDone();
  const plan = usePlan(user).data;
  const [marks, setMarks] = useState<string[]>([]);
  const { today, time_zone: zone } = user;
  // Where it has another currency now, what was stated before says nothing about it.
  const last = holding?.currency === currency ? holding : undefined;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const open = plan ? unsettledOf(plan, { id, holdings, methods }) : [];
  const form = useForm<Statement>({
    initialValues: { amount: '', day: null },
    validate: { amount: useRules().amount },
  });
  const pastDay = ({ day }: Statement) => (day && day < today ? day : undefined);
  const openUntil = (day = today) => open.filter(({ date }) => date <= day);
  const isMarked = (entry: Unsettled) => marks.includes(entry.id);

  /** After what was stated last, and before what is stated; undefined: now. */
  function settledAt(entry: Unsettled, day: string | undefined): string | undefined {
    const noon = instantOf(entry.date, '12:00:00', zone);
    const isBetween = noon > (last?.stated_at ?? '') && noon < new Date().toISOString();
    return day || isBetween ? noon : undefined;
  }

  async function save(stated: Statement): Promise<void> {
    if (stated.day && stated.day > today)
      throw new FieldError('day', reasonMessage('out_of_order', language));
    const day = pastDay(stated);
    const operations: (string | undefined)[] = [];
    for (const entry of openUntil(day).filter(isMarked)) {
      operations.push((await entry.settle(settledAt(entry, day))).operationId);
    }
    const body = {
      balances: [{ payment_method_id: id, amount: stated.amount }],
      ...(day && { stated_at: instantOf(day, '23:59:59', zone) }),
    };
    const { data, operationId } = await queries.send('POST', '/balances', { body });
    const { difference = null } = data.balances[0] ?? {};
    const done = [
      texts.has(name, money(stated.amount, currency)),
      ...(difference === null ? [] : [differenceText(difference, currency)]),
    ];
    showDone(done.join(', '), ...operations, operationId);
    onClose();
  }

  /** What it should have had on another day, the service says afterwards. */
  function verdict(stated: Statement): string | undefined {
    if (!last || pastDay(stated)) return undefined;
    const marked = open.filter(isMarked);
    const changes = totalOf(marked, currency, holdings.exchange_rate?.rate);
    const missing = subtractAmounts(stated.amount, addAmounts(last.amount, changes));
    if (missing === '0.00' && marked.length > 0) return texts.explained;
    return differenceText(missing, currency);
  }

  function detailOf(entry: Unsettled, day: string | undefined): string {
    const { date } = entry;
    if (isMarked(entry)) {
      const at = settledAt(entry, day);
      const state = entry.isIncome ? t.status.received : t.status.paid;
      return `${state} ${dayText(at ? dayOf(at, zone) : today)}`;
    }
    const days = daysBetween({ from: date, to: today });
    return days > 0 ? `${dayText(date)}, ${t.in.late(days)}` : dayText(date);
  }

  function question(stated: Statement) {
    if (!isAmount(stated.amount)) return null;
    const day = pastDay(stated);
    const text = verdict(stated);
    const isExpected = text === texts.asExpected;
    const isOff = text && !isExpected && text !== texts.explained;
    const groups = [
      { label: texts.goneOut, entries: openUntil(day).filter((each) => !each.isIncome) },
      { label: texts.arrived, entries: openUntil(day).filter((each) => each.isIncome) },
    ];
    return (
      <Stack gap="sm">
        <p role="status">
          <b>{text}</b> {isOff && last && texts.since(dayText(dayOf(last.stated_at, zone), 'long'))}
        </p>
        {groups
          .filter(({ entries }) => !isExpected && entries.length > 0)
          .map(({ label, entries }) => (
            <Checkbox.Group key={label} label={label} value={marks} onChange={setMarks}>
              {entries.map((entry) => (
                <Checkbox
                  key={entry.id}
                  mt="xs"
                  value={entry.id}
                  description={detailOf(entry, day)}
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

  return (
    <Panel onClose={onClose}>
      <Form form={form} send={save} label={t.do.save} onCancel={onClose}>
        <Group grow align="flex-start">
          <MoneyInput label={texts.amount} currency={currency} {...form.getInputProps('amount')} />
          <DayInput
            label={texts.day}
            placeholder={texts.now}
            clearable
            {...form.getInputProps('day')}
          />
        </Group>
        {question(form.values)}
      </Form>
    </Panel>
  );
}
