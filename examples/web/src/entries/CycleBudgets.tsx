import { Group } from '@mantine/core';
import { queries, useQuery } from '../api';
import { Card, Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { BudgetBar, BudgetLeft, BudgetLegend, isLimited } from '../planning/BudgetUse';

/** What is left of the budgets of a cycle. */
export function CycleBudgets({ cycleId }: { cycleId: string }) {
  const { t } = useLocale();
  const params = { path: { cycle_id: cycleId } };
  const summary = useQuery(queries.query('/cycles/{cycle_id}/summary', { params }));
  return (
    <Loaded state={summary}>
      {({ by_budget: all }) => {
        const uses = all.filter(isLimited);
        if (uses.length === 0) return <Nothing title={t.planning.budgets.noneText} />;
        return (
          <Card title={t.nav.budgets} end={<BudgetLegend />}>
            <ul>
              {uses.map((use) => (
                <li key={use.budget?.id}>
                  <Group justify="space-between">
                    <b>{use.budget?.name}</b>
                    <BudgetLeft {...use} />
                  </Group>
                  <BudgetBar {...use} />
                </li>
              ))}
            </ul>
          </Card>
        );
      }}
    </Loaded>
  );
}
