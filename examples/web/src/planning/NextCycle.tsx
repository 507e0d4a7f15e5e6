import { useEffect } from 'react';
import { Group, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { useLocation } from 'wouter';
import { queries, useQuery } from '../api';
import { Form } from '../components/Form';
import { DayInput, MoneyInput, useRules } from '../components/inputs';
import { Loaded, PageHead } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { CyclePreview } from './CyclePreview';

/** The form of the next cycle, or of a trip or project beside the others. */
export function NextCycle({ isTrip = false }: { isTrip?: boolean }) {
  const { t } = useLocale();
  const texts = t.planning.next;
  return (
    <>
      <PageHead title={isTrip ? t.entries.trip : texts.title} />
      <Loaded state={useQuery(queries.query('/cycles/next'))} height={400}>
        {(next) => (
          <section className="card" aria-label={texts.plan} style={{ padding: 24 }}>
            <CycleForm next={next} isTrip={isTrip} />
          </section>
        )}
      </Loaded>
    </>
  );
}

interface CycleFormProps {
  next: Schemas['NextCycleResponse'];
  isTrip: boolean;
}

function CycleForm({ next, isTrip }: CycleFormProps) {
  const { t, nameOf } = useLocale();
  const texts = t.planning.next;
  const [, navigate] = useLocation();
  const showDone = useDone();
  const { required, amount } = useRules();
  const proposed = {
    name: isTrip ? '' : nameOf(next),
    income_amount: next.income_amount,
    start_date: isTrip ? '' : next.start_date,
    end_date: isTrip ? '' : next.end_date,
    side: isTrip,
  };
  const form = useForm({
    initialValues: proposed,
    validate: {
      name: required,
      income_amount: (income, { side }) => (side ? null : amount(income)),
      start_date: required,
      end_date: required,
    },
  });
  const { side, ...draft } = form.values;
  // At first the proposal may be that of before another cycle was created.
  useEffect(() => {
    if (form.isDirty()) return;
    form.setValues(proposed);
    form.resetDirty(proposed);
  }, [next]);

  async function create(values: typeof form.values): Promise<void> {
    const body = {
      ...values,
      // As it is proposed, each reader sees its days as usual in his language.
      name: form.isDirty() ? values.name : next.name,
      income_amount: side ? '0.00' : values.income_amount,
    };
    const { data, operationId } = await queries.send('POST', '/cycles', { body });
    showDone(texts.created(nameOf(data)), operationId);
    navigate(`/cycles/${data.id}`);
  }

  return (
    <Form form={form} send={create} label={texts.create}>
      <Group grow align="flex-start">
        <TextInput label={t.fields.name} {...form.getInputProps('name')} />
        {!side && (
          <MoneyInput
            label={texts.opening}
            description={texts.openingHint}
            {...form.getInputProps('income_amount')}
          />
        )}
      </Group>
      <Group grow align="flex-start">
        <DayInput label={texts.starts} {...form.getInputProps('start_date')} />
        <DayInput label={texts.ends} {...form.getInputProps('end_date')} />
      </Group>
      <Switch
        label={texts.side}
        description={texts.sideHint}
        {...form.getInputProps('side', { type: 'checkbox' })}
      />
      {!side && draft.start_date && draft.end_date && <CyclePreview draft={draft} />}
    </Form>
  );
}
