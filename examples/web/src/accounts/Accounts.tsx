/** What each payment method should have, and what the bank says instead. */
import { Button, Stack } from '@mantine/core';
import { compareAmounts, dayOf, subtractAmounts, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery } from '../api';
import { statementsQuery } from '../cards/statement';
import { Amount, Figures, Loaded, PageHead } from '../components/Page';
import { usePanels, type PanelState } from '../components/Panel';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { countsWith, pesosPerDollar, totalPesos, type Holding } from './account';
import { MethodForm } from './MethodForm';
import { BankSays, useDifference } from './BankSays';

export function Accounts() {
  const { t } = useLocale();
  const me = useMe();
  const holdings = useQuery(queries.query('/balances/current'));
  const data = me.data && holdings.data && { user: me.data, holdings: holdings.data };
  return (
    <>
      <PageHead title={t.accounts.title} />
      <Loaded state={{ data, error: me.error ?? holdings.error }} height={600}>
        {(content) => <Content {...content} />}
      </Loaded>
    </>
  );
}

interface ContentProps {
  user: Schemas['UserResponse'];
  holdings: Schemas['CurrentBalancesResponse'];
}

function Content({ user, holdings }: ContentProps) {
  const { t } = useLocale();
  const panelOf = usePanels();
  const { payment_methods: stated } = holdings;
  const texts = t.accounts;
  return (
    <>
      {stated.length > 0 && (
        <section className="card group" aria-label={texts.title}>
          <Totals user={user} holdings={holdings} />
        </section>
      )}
      <RecordList
        title={t.account.methods}
        text={texts.text}
        query={queries.query('/payment-methods')}
        height={294}
        row={({ id, name, method_type: type, default_currency, active, closing_day: closing }) => {
          if (closing !== null) {
            return { name, detail: <CardSummary id={id} />, end: <CardLink id={id} name={name} /> };
          }
          const holding = stated.find(({ payment_method: method }) => method.id === id);
          const panel = panelOf(id);
          const isCash = type === 'cash';
          const kind = `${t.account.methodTypes[type]} · ${default_currency}`;
          return {
            name,
            detail: holding ? <Detail holding={holding} user={user} holdings={holdings} /> : kind,
            end: active && (holding || type !== 'credit') && (
              <Stack gap={4} align="flex-end">
                {holding && (
                  <b>
                    <Amount {...holding} />
                  </b>
                )}
                <SaysButton name={name} isCash={isCash} panel={panel} />
              </Stack>
            ),
            below: panel.isOpen && (
              <BankSays
                id={id}
                name={name}
                currency={default_currency}
                isCash={isCash}
                holding={holding}
                holdings={holdings}
                user={user}
                onClose={panel.close}
              />
            ),
          };
        }}
        form={(method, close) => <MethodForm method={method} onDone={close} />}
      />
      <Stated zone={user.time_zone} />
    </>
  );
}

/** In both currencies, the preferred one first. */
function Totals({ user, holdings }: ContentProps) {
  const { t, locale, usd, money } = useLocale();
  const texts = t.accounts;
  const { total_usd: total, payment_methods: stated, exchange_rate: used } = holdings;
  const inDollars = [texts.inDollars, usd(total)] as const;
  if (!used) return <Figures figures={[[...inDollars]]} />;
  const inPesos = [texts.inPesos, money(totalPesos(used.rate, ...stated), 'MXN')] as const;
  const [first, second] =
    user.preferred_currency === 'MXN' ? [inPesos, inDollars] : [inDollars, inPesos];
  return (
    <Figures
      figures={[
        [...first, texts.atRate(pesosPerDollar(used.rate, locale))],
        [...second, texts.sameMoney],
      ]}
    />
  );
}

/** What was stated last, and what has happened since. */
function Detail({ holding, user, holdings }: ContentProps & { holding: Holding }) {
  const { t, money, day } = useLocale();
  const texts = t.accounts;
  const { stated_at, stated_amount, received, paid, currency, payment_method: method } = holding;
  const change = subtractAmounts(received, paid);
  const isMain = countsWith({ payment_method: null }, { id: method.id, holdings, methods: [] });
  return (
    <>
      {texts.stated(
        money(stated_amount, currency),
        day(dayOf(stated_at, user.time_zone)),
        change === '0.00' ? texts.nothing : money(change, currency),
      )}
      {isMain && ` · ${texts.main}`}
    </>
  );
}

interface SaysButtonProps {
  name: string;
  isCash: boolean;
  panel: PanelState;
}

function SaysButton({ name, isCash, panel }: SaysButtonProps) {
  const { t } = useLocale();
  const says = isCash ? t.accounts.cashSays : t.accounts.bankSays;
  return (
    <Button
      size="xs"
      variant={panel.isOpen ? 'outline' : 'default'}
      aria-expanded={panel.isOpen}
      aria-label={`${name}: ${says}`}
      onClick={panel.toggle}
    >
      {says}
    </Button>
  );
}

function CardLink({ id, name }: { id: string; name: string }) {
  const { t } = useLocale();
  const text = t.cards.statements;
  return (
    <Button
      component={Link}
      href={`/accounts/${id}`}
      size="xs"
      variant="default"
      aria-label={`${name}: ${text}`}
    >
      {text}
    </Button>
  );
}

/** What is due next of a card. */
function CardSummary({ id }: { id: string }) {
  const { t, day, money } = useLocale();
  const { data } = useQuery(statementsQuery(id));
  const [first, second] = (data ?? [])
    .filter(({ paid, amount }) => !paid && compareAmounts(amount, '0.00') > 0)
    .map(({ amount, currency, due_date: due }) => [money(amount, currency), day(due)] as const);
  if (!data) return null;
  return (
    <>
      {first ? t.cards.dueThen(...first) : t.cards.nothingDue}
      {second && t.cards.then(...second)}
    </>
  );
}

/** What was stated before, which can be deleted where it was wrong. */
function Stated({ zone }: { zone: string }) {
  const { t, day } = useLocale();
  const texts = t.accounts;
  const differenceText = useDifference();
  return (
    <RecordList
      title={texts.before}
      text={texts.beforeText}
      query={queries.query('/balances')}
      row={({ id, payment_method: { name }, currency, amount, stated_at, difference }) => {
        const off = difference === null ? texts.first : differenceText(difference, currency);
        const send = () => queries.send('DELETE', '/balances/{id}', { params: { path: { id } } });
        return {
          name,
          detail: `${day(dayOf(stated_at, zone), 'year')} · ${off}`,
          end: (
            <span>
              <Amount amount={amount} currency={currency} />
            </span>
          ),
          actions: [{ label: t.do.delete, done: t.done.deleted(name), send }],
        };
      }}
    />
  );
}
