import { useState } from 'react';
import { Anchor, Badge, Box, Button } from '@mantine/core';
import { addAmounts, daysBetween } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery, useQueryList } from '../api';
import { DataTable } from '../components/DataTable';
import { Loaded, Nothing, PageHead } from '../components/Page';
import { useTotal } from '../components/Total';
import { useLocale } from '../locale';
import { balanceOn } from '../overview/plan';
import { useForecast } from '../overview/usePlan';

const page = (number: number) => queries.query('/cycles', { params: { query: { page: number } } });

export function Cycles() {
  const { t, days, nameOf } = useLocale();
  const total = useTotal();
  const text = (amount: string) => total(amount).text;
  const forecast = useForecast().data;
  const [count, setCount] = useState(1);
  const first = useQuery(page(1));
  const pages = useQueryList(Array.from({ length: count }, (_, i) => page(i + 1)));
  const items = pages.flatMap(({ data }) => data?.cycles ?? []);
  const texts = t.entries;
  return (
    <>
      <PageHead title={t.nav.cycles}>
        <Button component={Link} href="/cycles/next" variant="default">
          {texts.nextCycle}
        </Button>
        <Button component={Link} href="/cycles/trip" variant="default">
          {texts.trip}
        </Button>
      </PageHead>
      {total('0.00').currency === 'MXN' && <p className="muted">{texts.totalsAtRate}</p>}
      <Loaded state={first} height={480}>
        {({ pagination }) => (
          <section className="card" aria-label={t.nav.cycles}>
            {pagination.total === 0 && <Nothing title={texts.noCycles} text={texts.noCyclesText} />}
            <DataTable
              label={t.nav.cycles}
              groups={[{ items }]}
              columns={[
                {
                  title: texts.cycle,
                  cell: (cycle) => (
                    <Box ml={cycle.side ? 'md' : 0}>
                      <Anchor
                        component={Link}
                        href={`/cycles/${cycle.id}`}
                        className="name"
                        fw={500}
                      >
                        {nameOf(cycle)}
                      </Anchor>
                      <div className="detail muted">
                        {cycle.side
                          ? texts.beside(days(cycle))
                          : texts.days(
                              daysBetween({ from: cycle.start_date, to: cycle.end_date }) + 1,
                            )}
                        <Box component="span" hiddenFrom="sm">
                          {` · ${t.status[cycle.status]}`}
                        </Box>
                      </div>
                    </Box>
                  ),
                },
                {
                  title: texts.state,
                  from: 'sm',
                  cell: ({ status }) => (
                    <Badge color={status === 'active' ? 'accent' : 'gray'}>
                      {t.status[status]}
                    </Badge>
                  ),
                },
                {
                  title: texts.incomes,
                  isEnd: true,
                  from: 'sm',
                  cell: (cycle) =>
                    !cycle.side &&
                    text(addAmounts(cycle.income_amount, cycle.summary.total_incomes)),
                },
                {
                  title: texts.expenses,
                  isEnd: true,
                  from: 'sm',
                  cell: ({ summary }) => text(summary.total_expenses),
                },
                {
                  title: texts.accountsAtEnd,
                  isEnd: true,
                  cell: ({ side, status, end_date: end, ...cycle }) => {
                    if (side)
                      return <Box hiddenFrom="sm">{text(cycle.summary.total_expenses)}</Box>;
                    const after = forecast && balanceOn(forecast, end);
                    return status !== 'completed' && after ? (
                      <b>{text(after)}</b>
                    ) : (
                      <>
                        <Box component="span" className="detail muted" visibleFrom="sm">
                          {texts.remains}
                        </Box>{' '}
                        {text(cycle.remaining_balance)}
                      </>
                    );
                  },
                },
              ]}
            />
            {count < pagination.pages && (
              <Button variant="subtle" m="sm" onClick={() => setCount(count + 1)}>
                {texts.showMore}
              </Button>
            )}
          </section>
        )}
      </Loaded>
    </>
  );
}
