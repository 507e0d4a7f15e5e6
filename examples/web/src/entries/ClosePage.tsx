/** Closes a cycle: what is open and where it goes, what is left, and what the next one has. */
import { useState } from 'react';
import { Badge, Button, Group, Radio, Stack, Switch } from '@mantine/core';
import { addAmounts, compareAmounts, daysBetween, subtractAmounts } from 'expense-service-client';
import { useLocation } from 'wouter';
import { queries, useCycles, useQuery, type Cycle, type Expense } from '../api';
import { Card, Figures, Loaded, PageHead, Pairs } from '../components/Page';
import { useTotal } from '../components/Total';
import { useLocale } from '../locale';
import { usePutOff } from '../overview/ClosingCard';
import { lowestOf } from '../overview/plan';
import { useWrite } from '../write';
import { afterClosing, followingOf, startNext, type ClosingContent, type Next } from './closing';
import { dateOf, isExpense, isOpen, payAll, totalUsd, useSettling, type Entry } from './entry';
import { EntryDrawer } from './EntryForm';
import { EntryRow } from './EntryRow';
import { moveByKey } from './keys';
import { useCycle } from './useCycle';

export function ClosePage({ id }: { id: string }) {
  const content = useCycle(id);
  const closing = useQuery(queries.query('/cycles/{id}/close', { params: { path: { id } } }));
  const stored = useCycles();
  const proposal = useQuery(queries.query('/cycles/next'));
  const all = [content, closing, stored, proposal];
  const data = content.data &&
    closing.data &&
    stored.data &&
    proposal.data && {
      cycle: content.data.cycle,
      forecast: content.data.forecast,
      open: [...content.data.expenses, ...content.data.incomes].filter(isOpen),
      closing: closing.data,
      next:
        followingOf(content.data.cycle, stored.data) ??
        (content.data.cycle.side ? undefined : proposal.data),
    };
  const error = all.find((each) => each.error !== undefined)?.error;
  return (
    <Loaded state={{ data, error }} height={800}>
      {(steps) => <Steps {...steps} />}
    </Loaded>
  );
}

interface StepsProps extends ClosingContent {
  /** Left out: a trip needs none. */
  next: Next | undefined;
}

function Steps({ next, ...content }: StepsProps) {
  const { cycle, open, closing, forecast } = content;
  const { t, days, nameOf } = useLocale();
  const texts = t.entries.closing;
  const { write, isSaving } = useWrite();
  const [, navigate] = useLocation();
  const [, putOff] = usePutOff(cycle.id);
  const [isLeft, setLeft] = useState(next === undefined);
  const [isCarried, setCarried] = useState(true);
  const { left_over: leftOver } = closing;
  const isStated = forecast.opening.source === 'stated';
  const canCarry = !isStated && next !== undefined && compareAmounts(leftOver, '0.00') > 0;
  const carried = canCarry && isCarried ? leftOver : undefined;
  const name = nameOf(cycle);
  const follows = cycle.side ? undefined : next;
  const ended = daysBetween({ from: cycle.end_date, to: forecast.today });

  async function send() {
    const to = follows ? await startNext(follows, carried) : next?.id;
    const params = { path: { id: cycle.id } };
    const body = to && !isLeft ? { to_cycle_id: to } : { leave_open: true };
    await queries.send('POST', '/cycles/{id}/close', { params, body });
    // A cycle that is closed stays so.
    return { operationId: undefined };
  }
  async function close(): Promise<void> {
    const done = isLeft ? texts.closed(name) : texts.closedAndMoved(name, open.length);
    if (await write({ name, done, send })) navigate('/');
  }
  function notNow(): void {
    putOff(forecast.today);
    navigate('/');
  }

  return (
    <Stack gap="md" maw={840} w="100%" mx="auto" className="page">
      <PageHead title={texts.title(name)}>
        <Badge color="gray">{texts.ended(ended)}</Badge>
      </PageHead>
      <Open {...content} next={next} isLeft={isLeft} onLeft={setLeft} />
      {!cycle.side && (
        <Left
          {...content}
          next={canCarry ? next : undefined}
          isCarried={isCarried}
          onCarried={setCarried}
        />
      )}
      {follows && <NextCycle {...content} next={follows} isLeft={isLeft} carried={carried} />}
      <Group>
        <Button aria-busy={isSaving} disabled={isSaving} onClick={() => void close()}>
          {follows ? texts.closeAndStart(days(follows)) : t.entries.complete}
        </Button>
        <Button variant="subtle" onClick={notNow}>
          {texts.notNow}
        </Button>
      </Group>
      <p className="detail muted">{texts.final}</p>
    </Stack>
  );
}

interface OpenProps extends StepsProps {
  isLeft: boolean;
  onLeft: (isLeft: boolean) => void;
}

/** What is open, to be paid or received here where it has happened, and where the rest goes. */
function Open({ cycle, forecast, open, closing, next, isLeft, onLeft }: OpenProps) {
  const { t, days } = useLocale();
  const texts = t.entries.closing;
  const settling = useSettling();
  const [opened, setOpened] = useState<Entry>();
  const { open_expense_count: bills, open_income_count: incomes } = closing;
  const due = open
    .filter(isExpense)
    .filter((each) => each.due_date <= forecast.today && !settling.isDone(each));
  return (
    <Card flush title={texts.open} end={<PayDue cycle={cycle} due={due} />}>
      <div className="card-body">
        <p className="muted">
          {texts.openText(t.open(bills, incomes))} {hasCards(closing) && t.cards.nothingToMove}
        </p>
      </div>
      {open.length > 0 && (
        <>
          <div role="group" aria-label={texts.open} className="group" onKeyDown={moveByKey}>
            {open.map((entry) => (
              <EntryRow key={entry.id} entry={entry} settling={settling} onOpen={setOpened} />
            ))}
          </div>
          <Radio.Group
            className="group"
            label={texts.where}
            value={isLeft ? 'left' : 'moved'}
            onChange={(value) => onLeft(value === 'left')}
          >
            <Stack gap="sm" mt="sm" pb="md">
              {next && (
                <Radio value="moved" label={texts.into(days(next))} description={texts.intoText} />
              )}
              <Radio value="left" label={texts.leave} description={texts.leaveText} />
            </Stack>
          </Radio.Group>
        </>
      )}
      <EntryDrawer opened={opened} entries={open} onClose={() => setOpened(undefined)} />
    </Card>
  );
}

interface PayDueProps {
  cycle: Cycle;
  due: Expense[];
}

/** Pays all expenses that are due with one press. */
function PayDue({ cycle, due }: PayDueProps) {
  const { t } = useLocale();
  const sum = useTotal()(totalUsd(due)).text;
  const { write, isSaving } = useWrite();
  if (due.length === 0) return null;
  const done = `${t.entries.paidThese(due.length)}, ${sum}`;
  return (
    <Button
      size="xs"
      variant="default"
      loading={isSaving}
      onClick={() =>
        void write({ name: t.entries.theMarked, done, send: () => payAll(cycle.id, due) })
      }
    >
      {t.entries.closing.payDue(due.length)}
    </Button>
  );
}

const hasCards = ({ card_expenses, card_payments }: ClosingContent['closing']): boolean =>
  card_expenses !== '0.00' || card_payments !== '0.00';

interface LeftProps extends ClosingContent {
  /** The cycle to which what is left can be entered. */
  next: Next | undefined;
  isCarried: boolean;
  onCarried: (isCarried: boolean) => void;
}

/** What is left of what was received. */
function Left({ cycle, closing, forecast, next, isCarried, onCarried }: LeftProps) {
  const { t, days } = useLocale();
  const total = useTotal();
  const text = (amount: string) => total(amount).text;
  const texts = t.entries.closing;
  const { left_over: leftOver, open_expenses, card_expenses, card_payments } = closing;
  const all = cycle.summary.total_expenses;
  const paid = subtractAmounts(all, addAmounts(open_expenses, card_expenses));
  const received = addAmounts(leftOver, paid, card_payments);
  const figures: [string, string][] = [
    [texts.received, text(received)],
    [texts.paid, text(paid)],
    ...(hasCards(closing)
      ? [[t.cards.cardPayments, text(card_payments)] satisfies [string, string]]
      : []),
    [texts.leftOver, text(leftOver)],
  ];
  return (
    <Card title={texts.left}>
      <p className="muted">{texts.leftText}</p>
      <Figures figures={figures} />
      {forecast.opening.source === 'stated' && (
        <Pairs pairs={[[texts.accountsToday, text(forecast.opening_balance), texts.count]]} />
      )}
      {next && (
        <Switch
          checked={isCarried}
          onChange={({ currentTarget }) => onCarried(currentTarget.checked)}
          label={texts.startWith(days(next), text(leftOver))}
          description={texts.startWithText(
            compareAmounts(next.income_amount, '0.00') > 0 ? text(next.income_amount) : '',
          )}
        />
      )}
    </Card>
  );
}

/** The next cycle as it will be, and when the next pay comes. */
function NextCycle(props: Parameters<typeof afterClosing>[0]) {
  const { open, forecast, next, isLeft } = props;
  const { t, day, days } = useLocale();
  const total = useTotal();
  const text = (amount: string, sign?: 'always') => total(amount, sign).text;
  const texts = t.entries.closing;
  const { starts, comes, bills, budgets, ends, change, last } = afterClosing(props);
  const isStated = forecast.opening.source === 'stated';
  const lowest = lowestOf(forecast, next.start_date, last);
  const [, nextPay] = forecast.pay_windows;
  const hasLateIncome = open.some((each) => !isExpense(each) && dateOf(each) < forecast.today);
  const { other, currency } = total(ends);
  const notes = [
    currency === 'MXN' && `${other}.`,
    nextPay && texts.nextPay(day(nextPay.from)),
    lowest && `${t.entries.lowest(text(addAmounts(lowest.balance, change)), day(lowest.date))}.`,
    hasLateIncome && texts.withoutLate,
  ];
  return (
    <Card title={texts.next(days(next))}>
      <p className="muted">{isStated ? texts.goesOn : texts.goesOnByPlan}</p>
      <Pairs
        label={texts.next(days(next))}
        pairs={[
          [texts.startsWith, text(starts), isStated && texts.inAccounts],
          [texts.comesIn, text(comes, 'always')],
          [
            forecast.cards.statement_count > 0 ? texts.billsAndCards : texts.bills,
            text(`-${bills}`),
            !isLeft && open.length > 0 && texts.withOpen,
          ],
          [t.overview.budgets, text(`-${budgets}`)],
          [texts.endsWith, text(ends), day(last)],
        ]}
      />
      <p className="detail muted">{notes.filter(Boolean).join(' ')}</p>
    </Card>
  );
}
