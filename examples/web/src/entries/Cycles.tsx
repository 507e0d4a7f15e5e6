import { useState } from 'react';
import { Anchor, Button, Table } from '@mantine/core';
import { addAmounts } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useQuery, useQueryList } from '../api';
import { Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { StatusBadge, useCycleName } from './cycle';

const page = (number: number) => queries.query('/cycles', { params: { query: { page: number } } });

export function Cycles() {
  const { t, usd } = useLocale();
  const nameOf = useCycleName();
  const [count, setCount] = useState(1);
  const first = useQuery(page(1));
  const pages = useQueryList(Array.from({ length: count }, (_, i) => page(i + 1)));
  const texts = t.entries;
  const next = (
    <Button component={Link} href="/cycles/next">
      {texts.nextCycle}
    </Button>
  );
  return (
    <>
      <div className="page-head">
        <h1>{t.nav.cycles}</h1>
        <div className="end">{next}</div>
      </div>
      <Loaded state={first} height={480}>
        {({ pagination: { total, pages: pageCount } }) => (
          <section className="card" aria-label={t.nav.cycles}>
            {total === 0 && <Nothing title={texts.noCycles} text={texts.noCyclesText} />}
            <Table hidden={total === 0} verticalSpacing="sm" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.cycle}</Table.Th>
                  <Table.Th>{texts.state}</Table.Th>
                  <Table.Th visibleFrom="sm" className="num" children={texts.incomes} />
                  <Table.Th visibleFrom="sm" className="num" children={texts.expenses} />
                  <Table.Th className="num">{texts.remains}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap(({ data }) => data?.cycles ?? [])
                  .map((cycle) => {
                    const incomes = addAmounts(cycle.income_amount, cycle.summary.total_incomes);
                    const expenses = usd(cycle.summary.total_expenses);
                    return (
                      <Table.Tr key={cycle.id}>
                        <Table.Td>
                          <Anchor component={Link} href={`/cycles/${cycle.id}`} fw={500}>
                            {nameOf(cycle)}
                          </Anchor>
                        </Table.Td>
                        <Table.Td children={<StatusBadge status={cycle.status} />} />
                        <Table.Td visibleFrom="sm" className="num" children={usd(incomes)} />
                        <Table.Td visibleFrom="sm" className="num" children={expenses} />
                        <Table.Td className="num">{usd(cycle.remaining_balance)}</Table.Td>
                      </Table.Tr>
                    );
                  })}
              </Table.Tbody>
            </Table>
            {count < pageCount && (
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
