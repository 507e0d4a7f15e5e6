/** What each payment method should have, and what the bank says instead. */
import { Button, Stack } from '@mantine/core';
import { compareAmounts, dayOf, subtractAmounts, type Schemas } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe, useQuery } from '../api';
import { statementsQuery } from '../cards/statement';
import { Amount, Figures, Loaded, PageHead } from '../components/Page';
import { usePanels } from '../components/Panel';
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
  const { t, locale, usd, money, day } = useLocale();
  const panelOf = usePanels();
  const texts = t.accounts;
  const { total_usd: total, payment_methods: stated, exchange_rate: used } = holdings;

  function detailOf({
    stated_at,
    stated_amount,
    received,
    paid,
    currency,
    ...holding
  }: Holding): string {
    const change = subtractAmounts(received, paid);
    const text = texts.stated(
      money(stated_amount, currency),
      day(dayOf(stated_at, user.time_zone)),
      change === '0.00' ? texts.nothing : money(change, currency),
    );
    const account = { id: holding.payment_method.id, holdings, methods: [] };
    const isMain = countsWith({ payment_method: null }, account);
    return isMain ? `${text} · ${texts.main}` : text;
  }

  /** That in the preferred currency first. */
  function totals(): [string, string, string?][] {
    const inDollars = [texts.inDollars, usd(total)] as const;
    if (!used) return [[...inDollars]];
    const inPesos = [texts.inPesos, money(totalPesos(used.rate, ...stated), 'MXN')] as const;
    const [first, second] =
      user.preferred_currency === 'MXN' ? [inPesos, inDollars] : [inDollars, inPesos];
    return [
      [...first, texts.atRate(pesosPerDollar(used.rate, locale))],
      [...second, texts.sameMoney],
    ];
  }

  return (
    <>
      {stated.length > 0 && (
        <section className="card group" aria-label={texts.title}>
          <Figures figures={totals()} />
        </section>
      )}
      <RecordList
        title={t.account.methods}
        text={texts.text}
        query={queries.query('/payment-methods')}
        height={294}
        row={({ id, name, method_type: type, default_currency, active, closing_day: closing }) => {
          if (closing !== null) {
            const href = `/accounts/${id}`;
            const label = `${name}: ${t.cards.statements}`;
            return {
              name,
              detail: <CardSummary id={id} />,
              end: (
                <Button component={Link} href={href} size="xs" variant="default" aria-label={label}>
                  {t.cards.statements}
                </Button>
              ),
            };
          }
          const holding = stated.find(({ payment_method: method }) => method.id === id);
          const panel = panelOf(id);
          const kind = `${t.account.methodTypes[type]} · ${default_currency}`;
          const says = type === 'cash' ? texts.cashSays : texts.bankSays;
          return {
            name,
            detail: holding ? detailOf(holding) : kind,
            end: active && (holding || type !== 'credit') && (
              <Stack gap={4} align="flex-end">
                {holding && (
                  <b>
                    <Amount {...holding} />
                  </b>
                )}
                <Button
                  size="xs"
                  variant={panel.isOpen ? 'outline' : 'default'}
                  aria-expanded={panel.isOpen}
                  aria-label={`${name}: ${says}`}
                  onClick={panel.toggle}
                >
                  {says}
                </Button>
              </Stack>
            ),
            below: panel.isOpen && (
              <BankSays
                id={id}
                name={name}
                currency={default_currency}
                isCash={type === 'cash'}
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
