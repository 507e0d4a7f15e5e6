/** What a household has at first, one line an account. */
import { useState } from 'react';
import { Button, CloseButton, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { addAmounts, ApiError, fieldErrors, messageOf, type Schemas } from 'expense-service-client';
import { converted, pesosPerDollar } from '../accounts/account';
import { MethodForm } from '../accounts/MethodForm';
import { queries, useMe, useRate, type Currency } from '../api';
import { FieldError, Form } from '../components/Form';
import { FormDrawer } from '../components/FormDrawer';
import { isAmount, MoneyInput, optionsOf, useRules } from '../components/inputs';
import { Pairs } from '../components/Page';
import { currencyOf, useLocale } from '../locale';

interface Line {
  key: string;
  /** Once it is stored. */
  id: string | null;
  name: string;
  method_type: Schemas['PaymentMethodType'];
  default_currency: Currency;
  amount: string;
}

const newLine = (default_currency: Currency): Line => ({
  key: randomId(),
  id: null,
  name: '',
  method_type: 'debit',
  default_currency,
  amount: '',
});

const isBlank = ({ name, amount }: Line): boolean => !name && !amount;

/** A line that is stored already is changed where the form is sent again after an error. */
function store({ id, name, method_type, default_currency }: Line) {
  const body = { name, method_type, default_currency };
  return id
    ? queries.send('PUT', '/payment-methods/{id}', { params: { path: { id } }, body })
    : queries.send('POST', '/payment-methods', { body });
}

export function AccountLines({ onDone }: { onDone: () => void }) {
  const { t, locale, language } = useLocale();
  const texts = t.account.steps;
  const { required, optionalAmount } = useRules();
  const [addsCard, setAddsCard] = useState(false);
  const form = useForm({
    initialValues: { lines: [newLine(currencyOf(locale))] },
    validate: ({ lines }) =>
      Object.fromEntries(
        lines.flatMap((line, i) => [
          [`lines.${i}.name`, isBlank(line) && i > 0 ? null : required(line.name)],
          [`lines.${i}.amount`, optionalAmount(line.amount)],
        ]),
      ),
  });
  const { lines } = form.values;

  async function save(): Promise<void> {
    const balances: Schemas['CreateBalancesDto']['balances'] = [];
    for (const [i, line] of lines.entries()) {
      if (isBlank(line)) continue;
      const { id } = (await store(line).catch(atLine(i))).data;
      form.setFieldValue(`lines.${i}.id`, id);
      if (line.amount) balances.push({ payment_method_id: id, amount: line.amount });
    }
    if (balances.length > 0) await queries.send('POST', '/balances', { body: { balances } });
    onDone();
  }

  const atLine = (i: number) => (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const [message = messageOf(error, language)] = Object.values(fieldErrors(error, language));
    throw new FieldError(`lines.${i}.name`, message);
  };

  return (
    <>
      <Form form={form} send={save} label={texts.save} onCancel={onDone} cancelLabel={texts.skip}>
        {lines.map((line, i) => (
          <LineInputs
            key={line.key}
            isFirst={i === 0}
            name={line.name}
            propsOf={(field) => form.getInputProps(`lines.${i}.${field}`)}
            onRemove={lines.length > 1 ? () => form.removeListItem('lines', i) : undefined}
          />
        ))}
        <Button
          variant="subtle"
          mr="auto"
          leftSection={<IconPlus size={16} />}
          onClick={() =>
            form.insertListItem('lines', newLine(lines.at(-1)?.default_currency ?? 'USD'))
          }
        >
          {texts.anotherAccount}
        </Button>
        <Total lines={lines} />
        <Group gap={4}>
          <span className="muted">{texts.cards}</span>
          <Button variant="subtle" onClick={() => setAddsCard(true)}>
            {texts.addCard}
          </Button>
        </Group>
      </Form>
      <FormDrawer title={texts.addCard} opened={addsCard} onClose={() => setAddsCard(false)}>
        <MethodForm type="credit" onDone={() => setAddsCard(false)} />
      </FormDrawer>
    </>
  );
}

interface LineInputsProps {
  /** Only the first line shows its labels; all have them for who cannot see. */
  isFirst: boolean;
  name: string;
  propsOf: (field: Exclude<keyof Line, 'key' | 'id'>) => object;
  onRemove: (() => void) | undefined;
}

function LineInputs({ isFirst, name, propsOf, onRemove }: LineInputsProps) {
  const { t } = useLocale();
  const { credit: _, ...types } = t.account.methodTypes;
  const labelled = (label: string) => (isFirst ? { label } : { 'aria-label': label });
  const remove = t.account.steps.removeAccount(name);
  return (
    <Group gap={8} align="flex-start">
      <TextInput flex="1 1 140px" {...labelled(t.fields.name)} {...propsOf('name')} />
      <Select
        flex="1 1 140px"
        data={optionsOf(types)}
        {...labelled(t.account.methodType)}
        {...propsOf('method_type')}
      />
      <MoneyInput
        flex="1 1 220px"
        currencyProps={propsOf('default_currency')}
        {...labelled(t.account.hasNow)}
        {...propsOf('amount')}
      />
      {onRemove && (
        <CloseButton
          size={40}
          iconSize={16}
          mt={isFirst ? 22 : 0}
          aria-label={remove}
          onClick={onRemove}
        />
      )}
    </Group>
  );
}

/** Of several accounts, in the currency of most of them. */
function Total({ lines }: { lines: Line[] }) {
  const { t, locale, money } = useLocale();
  const rate = useRate(useMe().data?.today);
  const amounts = lines.filter(({ amount }) => isAmount(amount));
  if (!rate || amounts.length < 2) return null;
  const to = currencyOf(locale);
  const all = amounts.map(({ amount, default_currency: from }) =>
    converted(amount, { from, to, rate }),
  );
  const text = money(addAmounts(...all), to);
  return (
    <Pairs
      pairs={[[t.account.steps.inAll, text, t.accounts.atRate(pesosPerDollar(rate, locale))]]}
    />
  );
}
