import { useState } from 'react';
import { Anchor, Popover } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isNegative } from 'expense-service-client';
import { queries } from '../api';
import { Form } from '../components/Form';
import { MoneyInput, useRules } from '../components/inputs';
import { useLocale } from '../locale';

/** Changes the balance that should always remain. */
export function MinimumBalance({ minimum }: { minimum: string }) {
  const { t } = useLocale();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start" width={280}>
      <Popover.Target>
        <Anchor component="button" fw={500} fz="sm" onClick={() => setOpen(!isOpen)}>
          {t.do.change}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown>
        <MinimumForm minimum={minimum} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function MinimumForm({ minimum, onDone }: { minimum: string; onDone: () => void }) {
  const { t } = useLocale();
  const { amount } = useRules();
  const form = useForm({
    initialValues: { minimum_balance: minimum },
    validate: {
      minimum_balance: (value) =>
        amount(value) ?? (isNegative(value) ? t.fields.invalidAmount : null),
    },
  });

  async function save(body: { minimum_balance: string }): Promise<void> {
    await queries.send('PUT', '/auth/me', { body });
    onDone();
  }

  return (
    <Form form={form} send={save} label={t.do.save}>
      <MoneyInput
        label={t.overview.minimum}
        description={t.overview.minimumHelp}
        {...form.getInputProps('minimum_balance')}
      />
    </Form>
  );
}
