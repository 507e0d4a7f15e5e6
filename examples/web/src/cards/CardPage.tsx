/** A card: its statements, how they are paid, and what is in one of them. */
import { useState } from 'react';
import { Anchor, Button, Stack, Switch, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { daysBetween, type Schemas } from 'expense-service-client';
import { Link, useSearchParams } from 'wouter';
import { putMethod } from '../accounts/account';
import { MethodForm } from '../accounts/MethodForm';
import { queries, useMe, useQuery } from '../api';
import { Card, Loaded, PageHead } from '../components/Page';
import { usePanel } from '../components/Panel';
import { FormDrawer } from '../components/FormDrawer';
import { Row } from '../components/Row';
import { EntryDrawer } from '../entries/EntryForm';
import { useLocale } from '../locale';
import { useWrite } from '../write';
import { isDue, useCard, type Method, type Statement } from './statement';
import { StatementDetail } from './StatementDetail';
import { PayButton } from './StatementRow';
import { PayOtherwise, useStateText } from './PayOtherwise';

/** Older ones that are paid are shown later. */
const DAYS_SHOWN = 92;

export function CardPage({ id }: { id: string }) {
  const me = useMe();
  const card = useCard(id);
  const data = me.data && card.data && { user: me.data, ...card.data };
  return (
    <Loaded state={{ data, error: me.error ?? card.error }} height={600}>
      {(content) => <Content {...content} />}
    </Loaded>
  );
}

interface ContentProps {
  user: Schemas['UserResponse'];
  method: Method;
  statements: Statement[];
}

function Content({ user, method, statements }: ContentProps) {
  const { t } = useLocale();
  const texts = t.cards;
  const { today } = user;
  const { write, isSaving } = useWrite();
  const [search, setSearch] = useSearchParams();
  const [isAll, setAll] = useState(false);
  const [form, setForm] = useState<'method' | 'purchase'>();
  const current = statements.find(({ closing_date: closing }) => closing >= today);
  const selected =
    statements.find(({ closing_date: closing }) => closing === search.get('statement')) ?? current;
  const shown = statements
    .filter(({ paid, closing_date: closing }) => {
      return isAll || !paid || daysBetween({ from: closing, to: today }) < DAYS_SHOWN;
    })
    .reverse();
  const close = () => setForm(undefined);
  const setAutopay = (autopay: boolean) =>
    write({
      name: method.name,
      done: t.done.saved(method.name),
      send: () => putMethod(method, { autopay }),
    });

  return (
    <>
      <Anchor component={Link} href="/accounts" c="dimmed" w="fit-content">
        {t.nav.accounts}
      </Anchor>
      <PageHead title={method.name}>
        <DaysOf method={method} />
        <Button variant="default" onClick={() => setForm('method')}>
          {texts.edit}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setForm('purchase')}
        >
          {texts.purchase}
        </Button>
      </PageHead>
      <div className="columns even">
        <Stack gap="md">
          <Card flush title={texts.statements}>
            {shown.map((statement) => (
              <Line
                key={statement.closing_date}
                statement={statement}
                user={user}
                isSelected={statement === selected}
                onSelect={() => setSearch({ statement: statement.closing_date }, { replace: true })}
              />
            ))}
            {shown.length < statements.length && (
              <Button variant="subtle" m="sm" onClick={() => setAll(true)}>
                {texts.older}
              </Button>
            )}
          </Card>
          <section className="card group">
            <Switch
              label={texts.autopay}
              description={texts.autopayText}
              my="sm"
              checked={method.autopay}
              disabled={isSaving}
              onChange={({ currentTarget: { checked } }) => void setAutopay(checked)}
            />
          </section>
        </Stack>
        {selected && (
          <StatementDetail key={selected.closing_date} statement={selected} user={user} />
        )}
      </div>
      <FormDrawer title={method.name} opened={form === 'method'} onClose={close}>
        <MethodForm method={method} onDone={close} />
      </FormDrawer>
      <EntryDrawer
        opened={form === 'purchase' ? 'expense' : undefined}
        entries={[]}
        method={method}
        onClose={close}
      />
    </>
  );
}

/** When its statements close and are due, and what they are paid from. */
function DaysOf({ method }: { method: Method }) {
  const { t } = useLocale();
  const texts = t.cards;
  const { data: methods = [] } = useQuery(queries.query('/payment-methods'));
  const { closing_day: closing, due_day: due, due_days_after: after, paid_from_id } = method;
  const from = methods.find(({ id }) => id === paid_from_id);
  const parts = [
    closing && texts.closesOn(closing),
    due && texts.dueOn(due),
    after && texts.dueAfter(after),
    from && texts.paidFrom(from.name),
  ];
  return <span className="muted">{parts.filter(Boolean).join(', ')}</span>;
}

interface LineProps {
  statement: Statement;
  user: ContentProps['user'];
  isSelected: boolean;
  onSelect: () => void;
}

function Line({ statement, user, isSelected, onSelect }: LineProps) {
  const { t, day, days } = useLocale();
  const texts = t.cards;
  const { from, closing_date: closing } = statement;
  const { text, color = 'muted' } = useStateText()(statement, user);
  const panel = usePanel();
  return (
    <div className={isSelected ? 'group marked' : 'group'}>
      <Row
        money={statement}
        name={
          <UnstyledButton className="name" fw={500} aria-pressed={isSelected} onClick={onSelect}>
            {days({ start_date: from, end_date: closing })}
          </UnstyledButton>
        }
        details={
          <>
            <span className={color}>{text}</span>
            {!statement.paid && ` · ${texts.due(day(statement.due_date))}`}
          </>
        }
      >
        {isDue(statement) && <PayButton statement={statement} panel={panel} />}
      </Row>
      {panel.isOpen && <PayOtherwise statement={statement} onClose={panel.close} />}
    </div>
  );
}
