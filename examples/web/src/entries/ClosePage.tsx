/** Closes a cycle: what is open and where it goes, what is left, and what the next one has. */
import { useState } from 'react';
import { Badge, Button, Group, Radio, Stack, Switch } from '@mantine/core';
import { addAmounts, compareAmounts, daysBetween, subtractAmounts } from 'expense-service-client';
import type { Schemas } from 'expense-service-client';
import { useLocation } from 'wouter';
import { queries, useQuery, type Cycle, type Forecast } from '../api';
import { Card, Figures, Loaded, PageHead, Pairs } from '../components/Page';
import { useLocale } from '../locale';
import { usePutOff } from '../overview/ClosingCard';
import { balanceOn, lowestOf } from '../overview/plan';
import { useWrite } from '../write';
import { useCycle } from './useCycle';
import { dateOf, isExpense, isOpen, takesEntries, totalUsd, useSettling } from './entry';
import type { Entry, Kind } from './entry';
import { EntryDrawer } from './EntryForm';
import { EntryRow } from './EntryRow';
import { moveByKey } from './keys';

type Closing = Schemas['ClosingResponse'];
/** Stored, or only proposed. */
type Next = Pick<Cycle, 'name' | 'start_date' | 'end_date' | 'income_amount'> & Partial<Cycle>;

export function ClosePage({ id }: { id: string }) {
  const content = useCycle(id);
  const closing = useQuery(queries.query('/cycles/{id}/close', { params: { path: { id } } }));
  const stored = useQuery(queries.query('/cycles', { params: { query: { per_page: 100 } } }));
  const proposal = useQuery(queries.query('/cycles/next'));
  const all = [content, closing, stored, proposal];
  const data = content.data &&
    closing.data &&
    stored.data &&
    proposal.data && {
      ...{ ...content.data, closing: closing.data },
      next: nextOf(content.data.cycle, stored.data.cycles, proposal.data),
    };
  const error = all.find((each) => each.error !== undefined)?.error;
  return (
    <Loaded state={{ data, error }} height={800}>
      {({ expenses, incomes, ...props }) => (
        <Steps {...props} open={[...expenses, ...incomes].filter(isOpen)} />
      )}
    </Loaded>
  );
}

/** The first cycle after it, which a trip does not need; lists begin with the latest. */
function nextOf(cycle: Cycle, stored: Cycle[], proposal: Next): Next | undefined {
  const next = stored.findLast((each) => takesEntries(each) && each.end_date > cycle.end_date);
  return next ?? (cycle.side ? undefined : proposal);
}

interface StepsProps {
  cycle: Cycle;
  open: Entry[];
  closing: Closing;
  forecast: Forecast;
  next: Next | undefined;
}

function Steps({ cycle, open, closing, forecast, next }: StepsProps) {
  const { t, usd, days, nameOf } = useLocale();
  const texts = t.entries.closing;
  const settling = useSettling();
  const { write, isSaving } = useWrite();
  const [, navigate] = useLocation();
  const [, putOff] = usePutOff(cycle.id);
  const [opened, setOpened] = useState<Entry>();
  const [isLeft, setLeft] = useState(next === undefined);
  const [isCarried, setCarried] = useState(true);
  const { left_over: leftOver, open_expense_count: bills, open_income_count: incomes } = closing;
  const { today, opening } = forecast;
  const isStated = opening.source === 'stated';
  const canCarry = !isStated && next && compareAmounts(leftOver, '0.00') > 0;
  const carried = canCarry && isCarried ? leftOver : undefined;
  const name = nameOf(cycle);
  const ended = daysBetween({ from: cycle.end_date, to: today });
  const paid = subtractAmounts(
    subtractAmounts(cycle.summary.total_expenses, closing.open_expenses),
    closing.card_expenses,
  );
  const hasCards = closing.card_expenses !== '0.00' || closing.card_payments !== '0.00';
  const received = addAmounts(leftOver, paid, closing.card_payments);

  async function send() {
    const to = cycle.side ? next?.id : next && (await start(next, carried));
    const params = { path: { id: cycle.id } };
    const body = to && !isLeft ? { to_cycle_id: to } : { leave_open: true };
    await queries.send('POST', '/cycles/{id}/close', { params, body });
    // A cycle that is closed stays so.
    return { operationId: undefined };
  }
  async function close(): Promise<void> {
    const done = isLeft ? texts.closed(name) : texts.closedAndMoved(name, bills + incomes);
    if (await write({ name, done, send })) navigate('/');
  }
  function notNow(): void {
    putOff(today);
    navigate('/');
  }

  return (
    <Stack gap="md" maw={840} w="100%" mx="auto" className="page">
      <PageHead title={texts.title(name)}>
        <Badge color="gray">{texts.ended(ended)}</Badge>
      </PageHead>
      <Card flush title={texts.open}>
        <div className="card-body">
          <p className="muted">
            {texts.openText(t.open(bills, incomes))} {hasCards && t.cards.nothingToMove}
          </p>
        </div>
        {open.length > 0 && (
          <div role="group" aria-label={texts.open} className="group" onKeyDown={moveByKey}>
            {open.map((entry) => (
              <EntryRow key={entry.id} {...{ entry, settling }} onOpen={setOpened} />
            ))}
          </div>
        )}
        {open.length > 0 && (
          <Radio.Group
            className="group"
            label={texts.where}
            value={isLeft ? 'left' : 'moved'}
            onChange={(value) => setLeft(value === 'left')}
          >
            <Stack gap="sm" mt="sm" pb="md">
              {next && (
                <Radio value="moved" label={texts.into(days(next))} description={texts.intoText} />
              )}
              <Radio value="left" label={texts.leave} description={texts.leaveText} />
            </Stack>
          </Radio.Group>
        )}
      </Card>
      {!cycle.side && (
        <Card title={texts.left}>
          <p className="muted">{texts.leftText}</p>
          <Figures
            figures={[
              [texts.received, usd(received)],
              [texts.paid, usd(paid)],
              ...(hasCards
                ? [[t.cards.cardPayments, usd(closing.card_payments)] satisfies [string, string]]
                : []),
              [texts.leftOver, usd(leftOver)],
            ]}
          />
          {isStated && (
            <Pairs pairs={[[texts.accountsToday, usd(forecast.opening_balance), texts.count]]} />
          )}
          {canCarry && (
            <Switch
              checked={isCarried}
              onChange={({ currentTarget }) => setCarried(currentTarget.checked)}
              label={texts.startWith(days(next), usd(leftOver))}
              description={texts.startWithText(
                compareAmounts(next.income_amount, '0.00') > 0 ? usd(next.income_amount) : '',
              )}
            />
          )}
        </Card>
      )}
      {!cycle.side && next && (
        <NextOf {...{ cycle, open, closing, forecast, next, isLeft, carried }} />
      )}
      <Group>
        <Button {...{ 'aria-busy': isSaving, disabled: isSaving }} onClick={() => void close()}>
          {next && !cycle.side ? texts.closeAndStart(days(next)) : t.entries.complete}
        </Button>
        <Button variant="subtle" onClick={notNow}>
          {texts.notNow}
        </Button>
      </Group>
      <p className="detail muted">{texts.final}</p>
      <EntryDrawer {...{ opened, entries: open }} onClose={() => setOpened(undefined)} />
    </Stack>
  );
}

/** Creates what is only proposed, and activates it. Returns its id. */
async function start(next: Next, income_amount: string | undefined): Promise<string> {
  const { name, start_date, end_date } = next;
  const body = { name, start_date, end_date, income_amount: next.income_amount };
  const id = next.id ?? (await queries.send('POST', '/cycles', { body })).data.id;
  const changes = { status: 'active' as const, ...(income_amount && { income_amount }) };
  if (next.status !== 'active' || income_amount)
    await queries.send('PUT', '/cycles/{id}', { params: { path: { id } }, body: changes });
  // Or the cycles after it would have the same again.
  if (income_amount)
    await queries.send('PUT', '/auth/me', { body: { next_income_amount: 'zero' } });
  return id;
}

interface NextOfProps extends Omit<StepsProps, 'next'> {
  next: Next;
  isLeft: boolean;
  /** What it starts with, if what is left is entered there. */
  carried: string | undefined;
}

/** The next cycle as the forecast has it, without what the closed one takes out of the plan. */
function NextOf({ cycle, open, closing, forecast, next, isLeft, carried }: NextOfProps) {
  const { t, usd, day, days: daysText } = useLocale();
  const texts = t.entries.closing;
  const { today, opening, opening_balance: balance, entries } = forecast;
  const days = (forecast.days ?? []).filter(({ date }) => date <= next.end_date);
  const last = days.at(-1)?.date ?? today;
  const sum = (part: 'incomes' | 'expenses' | 'set_aside') =>
    addAmounts(...days.map((each) => each[part]));
  const openFrom = (date: string, kind: Kind) =>
    open.filter(
      (each) =>
        isLeft &&
        isExpense(each) === (kind === 'expense') &&
        dateOf(each) >= date &&
        dateOf(each) <= last,
    );
  const ofClosed = entries?.filter(
    (each) => each.entity_type === 'budget' && each.cycle_id === cycle.id,
  );
  const isStated = opening.source === 'stated';
  const former = carried ? next.income_amount : '0.00';
  // The income of a cycle that has begun is in the balance of today.
  const [inBalance, inIncomes] = next.start_date < today ? [former, '0.00'] : ['0.00', former];
  const goneWithIt = isStated || carried ? '0.00' : closing.left_over;
  const starts = subtractAmounts(balance, addAmounts(inBalance, goneWithIt));
  const comes = subtractAmounts(
    sum('incomes'),
    addAmounts(inIncomes, totalUsd(openFrom(today, 'income'))),
  );
  // What moves takes from the limits of the next cycle.
  const takenByMoved = (entries ?? [])
    .filter((each) => each.entity_type === 'budget' && each.date === next.end_date)
    .map(({ budget, amount_usd }) => {
      const moved = totalUsd(
        open.filter((each) => !isLeft && isExpense(each) && each.budget?.id === budget?.id),
      );
      return compareAmounts(moved, amount_usd) < 0 ? moved : amount_usd;
    });
  const budgets = subtractAmounts(
    sum('set_aside'),
    addAmounts(totalUsd(ofClosed ?? []), ...takenByMoved),
  );
  const bills = subtractAmounts(
    sum('expenses'),
    addAmounts(sum('set_aside'), totalUsd(openFrom('', 'expense'))),
  );
  const ends = subtractAmounts(addAmounts(starts, comes), addAmounts(bills, budgets));
  const change = subtractAmounts(ends, balanceOn(forecast, last) ?? ends);
  const lowest = lowestOf(forecast, next.start_date, last);
  return (
    <Card title={texts.next(daysText(next))}>
      <p className="muted">{isStated ? texts.goesOn : texts.goesOnByPlan}</p>
      <Pairs
        label={texts.next(daysText(next))}
        pairs={[
          [texts.startsWith, usd(starts), isStated && texts.inAccounts],
          [texts.comesIn, usd(comes, 'always')],
          [
            forecast.cards.statement_count > 0 ? texts.billsAndCards : texts.bills,
            usd(`-${bills}`),
            !isLeft && open.length > 0 && texts.withOpen,
          ],
          [t.overview.budgets, usd(`-${budgets}`)],
          [texts.endsWith, usd(ends), day(last)],
        ]}
      />
      <p className="detail muted">
        {lowest &&
          `${t.entries.lowest(usd(addAmounts(lowest.balance, change)), day(lowest.date))}.`}
        {open.some((each) => !isExpense(each) && dateOf(each) < today) && ` ${texts.withoutLate}`}
      </p>
    </Card>
  );
}
