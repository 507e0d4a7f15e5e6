/** What is in a statement, and what the bank says of it. */
import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { daysBetween, type Schemas } from 'expense-service-client';
import { queries, useQuery } from '../api';
import { Form } from '../components/Form';
import { DayInput, MoneyInput, orNull, useRules } from '../components/inputs';
import { Amount, Card, Pairs } from '../components/Page';
import { Panel } from '../components/Panel';
import { dateOf, stateOf, useSettling, type Entry } from '../entries/entry';
import { EntryDrawer } from '../entries/EntryForm';
import { EntryRow } from '../entries/EntryRow';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { isDue, isNothing, putStatement, type Statement } from './statement';
import { usePayment } from './StatementRow';

interface StatementDetailProps {
  statement: Statement;
  user: Schemas['UserResponse'];
}

export function StatementDetail({ statement, user: { today } }: StatementDetailProps) {
  const { t, day, days } = useLocale();
  const texts = t.cards;
  const settling = useSettling();
  const { pay, isSaving } = usePayment();
  const [isStating, setStating] = useState(false);
  const [opened, setOpened] = useState<Entry>();
  const entries = useEntries(statement);
  const { from, closing_date: closing, currency, stated_amount, carried_amount } = statement;
  const bought = entries.filter((each) => 'due_date' in each);
  const groups = [
    { list: bought.filter((each) => dateOf(each) <= today).reverse() },
    { title: texts.until(day(closing)), list: bought.filter((each) => dateOf(each) > today) },
    { title: texts.cameBack, list: entries.filter((each) => !('due_date' in each)) },
  ];
  const amount = (value: string) => <Amount amount={value} currency={currency} />;
  return (
    <Card
      flush
      title={
        <>
          {days({ start_date: from, end_date: closing })}{' '}
          {closing >= today && (
            <Text span fz={14} fw={400} c="dimmed">
              {texts.closes(t.in.days(daysBetween({ from: today, to: closing })))}
            </Text>
          )}
        </>
      }
      end={
        !statement.paid || isNothing(statement) ? (
          <Button
            size="xs"
            variant={isStating ? 'outline' : 'default'}
            aria-expanded={isStating}
            onClick={() => setStating(!isStating)}
          >
            {texts.bankSays}
          </Button>
        ) : (
          statement.id && (
            <Button
              size="xs"
              variant="default"
              disabled={isSaving}
              onClick={() => void pay(statement, false)}
            >
              {t.entries.unpay}
            </Button>
          )
        )
      }
    >
      {isStating && <BankSays statement={statement} onClose={() => setStating(false)} />}
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }, i) => (
          <div key={i}>
            {title && <h3 className="group band">{title}</h3>}
            <div className="group">
              {list.map((entry) => (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  settling={settling}
                  isOnCard
                  onOpen={entry.isFixed ? undefined : setOpened}
                />
              ))}
            </div>
          </div>
        ))}
      <div className="card-body">
        <Pairs
          label={texts.statement}
          pairs={[
            [texts.bought, amount(statement.total_amount), statement.expense_count],
            ...(carried_amount === '0.00'
              ? []
              : [[texts.carried, amount(carried_amount)] as const]),
            ...(stated_amount === null
              ? []
              : [[texts.statedAmount, amount(stated_amount)] as const]),
            [texts.statement, amount(statement.amount), texts.due(day(statement.due_date))],
          ]}
        />
      </div>
      <EntryDrawer opened={opened} entries={entries} onClose={() => setOpened(undefined)} />
    </Card>
  );
}

/** What was bought with the card in the days of a statement, and what came back. */
function useEntries(statement: Statement) {
  const { from, to, payment_method } = statement;
  const query = { payment_method_id: payment_method.id, from, to, per_page: 100 };
  const { expenses = [] } = useQuery(queries.query('/expenses', { params: { query } })).data ?? {};
  const { incomes = [] } = useQuery(queries.query('/incomes', { params: { query } })).data ?? {};
  return [...expenses, ...incomes]
    .map(({ cycle, ...each }) => ({
      ...each,
      cycleId: cycle.id,
      statement,
      isFixed: cycle.status === 'completed',
    }))
    .filter((each) => stateOf(each) !== 'cancelled')
    .sort((a, b) => dateOf(a).localeCompare(dateOf(b)));
}

interface Stated {
  stated_amount: string | null;
  due_date: string | null;
}

/** The amount of a statement that has closed, and its due date. */
function BankSays({ statement, onClose }: { statement: Statement; onClose: () => void }) {
  const { t } = useLocale();
  const texts = t.cards;
  const showDone = useDone();
  const { stated_amount, due_date, currency, payment_method: method } = statement;
  const canState = isDue(statement) || isNothing(statement);

  const form = useForm<Stated>({
    initialValues: { stated_amount, due_date },
    validate: { stated_amount: useRules().optionalAmount },
  });

  async function save(stated: Stated): Promise<void> {
    const amount = canState && { stated_amount: orNull(stated.stated_amount) };
    const { operationId } = await putStatement(statement, { due_date: stated.due_date, ...amount });
    showDone(t.done.saved(method.name), operationId);
    onClose();
  }

  return (
    <div className="group">
      <Panel onClose={onClose}>
        <Form form={form} send={save} label={t.do.save} onCancel={onClose}>
          <Group grow align="flex-start">
            {canState && (
              <MoneyInput
                label={texts.statedAmount}
                placeholder={texts.asEntered}
                currency={currency}
                {...form.getInputProps('stated_amount')}
              />
            )}
            <DayInput label={texts.dueDate} clearable {...form.getInputProps('due_date')} />
          </Group>
        </Form>
      </Panel>
    </div>
  );
}
