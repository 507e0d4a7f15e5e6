import { useState } from 'react';
import { Anchor, Badge, Button } from '@mantine/core';
import { addAmounts } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery, useQueryList } from '../api';
import { DataTable } from '../components/DataTable';
import { Loaded, Nothing, PageHead } from '../components/Page';
import { useLocale } from '../locale';

const page = (number: number) => queries.query('/cycles', { params: { query: { page: number } } });

export function Cycles() {
  const { t, usd, nameOf } = useLocale();
  const [count, setCount] = useState(1);
  const first = useQuery(page(1));
  const pages = useQueryList(Array.from({ length: count }, (_, i) => page(i + 1)));
  const items = pages.flatMap(({ data }) => data?.cycles ?? []);
  const texts = t.entries;
  return (
    <>
      <PageHead title={t.nav.cycles}>
        <Button component={Link} href="/cycles/next">
          {texts.nextCycle}
        </Button>
      </PageHead>
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
                    <Anchor component={Link} href={`/cycles/${cycle.id}`} fw={500}>
                      {nameOf(cycle)}
                    </Anchor>
                  ),
                },
                {
                  title: texts.state,
                  cell: ({ status }) => <Badge color="gray">{t.status[status]}</Badge>,
                },
                {
                  ...{ title: texts.incomes, isEnd: true, from: 'sm' },
                  cell: (cycle) =>
                    usd(addAmounts(cycle.income_amount, cycle.summary.total_incomes)),
                },
                {
                  ...{ title: texts.expenses, isEnd: true, from: 'sm' },
                  cell: ({ summary }) => usd(summary.total_expenses),
                },
                {
                  title: texts.remains,
                  isEnd: true,
                  cell: (cycle) => usd(cycle.remaining_balance),
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
