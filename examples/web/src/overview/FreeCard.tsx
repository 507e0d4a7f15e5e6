/** What can be spent until the next pay day, and how that comes about. */
import type { ReactNode } from 'react';
import { Alert, Anchor, ColorSwatch, Group, Progress, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { compareAmounts, dayOf, daysBetween, explainFree, toCents } from 'expense-service-client';
import { Link } from 'wouter';
import type { Forecast } from '../api';
import { Amount, Pairs } from '../components/Page';
import { useTotal } from '../components/Total';
import { useSettling } from '../entries/entry';
import { useLocale } from '../locale';
import { MinimumBalance } from './MinimumBalance';
import type { Plan } from './plan';

interface FreeCardProps {
  plan: Plan;
  /** The forecast with a change that is tried. */
  changed: Forecast | undefined;
}

export function FreeCard({ plan, changed }: FreeCardProps) {
  const { t, usd, day } = useLocale();
  const { forecast } = plan;
  const texts = t.overview;
  const present = explainFree(forecast);
  const { free, short, payDay, lastDay, minimum } = explainFree(changed ?? forecast);
  const ending = payDay ? texts.nextPayDay : texts.noPayDay;
  const isLate = plan.late.incomes.length > 0;
  const later = short && forecast.pay_windows.find(({ from }) => from > short.date)?.from;
  const total = useTotal();
  const now = total(free);
  return (
    <section className="card" aria-labelledby="free">
      <SimpleGrid cols={{ base: 1, md: changed ? 1 : 2 }} spacing="xl" p={{ base: 'md', sm: 'xl' }}>
        <div>
          <Text id="free" component="h1" fz={16} c="dimmed">
            {texts.free}
          </Text>
          {free !== present.free && (
            <Text fz={24} lh="32px" mt={8} td="line-through" c="dimmed">
              {total(present.free).text}
            </Text>
          )}
          <Text
            fz={{ base: 'min(52px, 12vw)', sm: 64 }}
            lh="80px"
            fw={600}
            lts="-0.035em"
            className="free"
          >
            <span className={changed && short ? 'danger' : undefined}>
              <Amount amount={now.amount} currency={now.currency} />
            </span>
          </Text>
          <Text fz={16} lh="24px" mih={24} c="dimmed">
            {now.other}
          </Text>
          <Text fz={20} lh="28px">
            {texts.until} <b>{day(payDay ?? lastDay, 'long')}</b>
            {changed ? `, ${texts.withChange}` : ending}
          </Text>
          {short && (
            <Alert color="red" mt="md" py="xs" w="fit-content" icon={<IconAlertTriangle />}>
              {texts.shortBy(usd(short.by), day(short.date, 'long'))}
            </Alert>
          )}
          <Text c="dimmed" fz={13} mt="lg" maw="58ch">
            {short
              ? texts.shortNote(usd(short.balance), usd(minimum))
              : texts.safe(day(forecast.free_until, 'day'), usd(minimum))}
            {later && ` ${isLate ? texts.receiveLate : texts.advice(day(later))}`}
          </Text>
        </div>
        <Parts plan={plan} forecast={changed ?? forecast} />
      </SimpleGrid>
    </section>
  );
}

interface PartsProps {
  plan: Plan;
  forecast: Forecast;
}

/** Balance - due - budgets - kept - minimum = free, as a bar and as a list. */
function Parts({ plan, forecast }: PartsProps) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const { balance, incomes, minimum, free, short, ...freedom } = explainFree(forecast);
  const { due, setAside, kept, lastDay, payDay = lastDay } = freedom;
  const { opening, today } = forecast;
  const end = plan.current?.cycle.end_date ?? today;
  const [largest, ...others] = budgetsUntil(forecast, end);
  const statedOn = opening.stated_at && dayOf(opening.stated_at, plan.user.time_zone);
  const parts = [
    {
      label: texts.dueBy(day(lastDay)),
      detail: texts.bills(freedom.dueCount, freedom.overdueCount),
      amount: due,
      color: '--part-due',
    },
    setAside !== undefined && {
      label: texts.budgetUntil(largest ?? texts.budgets, day(payDay)),
      detail: others.length > 0 && texts.moreBudgets(others.length),
      amount: setAside,
      color: '--part-aside',
    },
    kept !== undefined && {
      label: texts.keptFor(day(kept.date)),
      detail: texts.lowestDay,
      amount: kept.amount,
      color: '--part-kept',
    },
    {
      label: texts.minimum,
      detail: <MinimumBalance minimum={minimum} />,
      amount: minimum,
      color: '--part-minimum',
    },
  ].filter((part) => part !== false);
  const result = short
    ? { label: texts.shortOn(day(short.date)), amount: short.by, color: '--danger' }
    : { label: texts.freeShort, amount: free, color: '--accent' };
  const total = [...parts, result].reduce((sum, { amount }) => sum + toCents(amount), 0n);
  const accounts = (
    <>
      {statedOn && texts.stated(day(statedOn))}{' '}
      <Anchor component={Link} href="/accounts" fw={500} fz="sm">
        {statedOn ? texts.correct : texts.state}
      </Anchor>
    </>
  );
  return (
    <div>
      <Progress.Root size={12} mb="md" aria-hidden>
        {[...parts, result].map(({ color, amount }) => (
          <Progress.Section
            key={color}
            withAria={false}
            color={`var(${color})`}
            value={Number((toCents(amount) * 10_000n) / (total || 1n)) / 100}
          />
        ))}
      </Progress.Root>
      <Pairs
        label={texts.parts}
        pairs={[
          [<Term label={statedOn ? texts.inAccounts : texts.byPlan} />, usd(balance), accounts],
          ...(incomes
            ? [[<Term label={texts.comesToday} />, usd(incomes, 'always')] as const]
            : []),
          ...parts.map(
            ({ label, color, amount, detail }) =>
              [<Term label={label} color={color} />, usd(`-${amount}`), detail] as const,
          ),
          [<Term {...result} />, usd(short ? `-${short.by}` : free), '', short && 'danger'],
        ]}
      />
      <Late late={plan.late} today={today} />
    </div>
  );
}

/** The names of budgets of which something is set aside, the largest first. */
function budgetsUntil({ entries }: Forecast, end: string): string[] {
  return (entries ?? [])
    .filter(({ entity_type: type, date }) => type === 'budget' && date <= end)
    .sort((a, b) => compareAmounts(b.amount_usd, a.amount_usd))
    .map(({ budget, description }) => budget?.name ?? description);
}

function Term({ label, color }: { label: ReactNode; color?: string }) {
  return (
    <Group component="span" display="inline-flex" gap={12} fw={500}>
      <ColorSwatch
        size={10}
        radius={3}
        withShadow={false}
        color={`var(${color})`}
        style={{ visibility: color ? undefined : 'hidden' }}
      />
      {label}
    </Group>
  );
}

/** Incomes that should have arrived: they are named, and not counted. */
function Late({ late: { usd: amount, incomes }, today }: { late: Plan['late']; today: string }) {
  const { t, usd } = useLocale();
  const texts = t.overview;
  const { settle } = useSettling();
  const [income] = incomes;
  if (!income) return null;
  const days = daysBetween({ from: income.income_date, to: today });
  const isOne = income.amount_usd === amount;
  const label = isOne ? income.description : texts.lateIncomes(incomes.length);
  return (
    <Pairs
      label={texts.late}
      pairs={[
        [
          <Group component="span" display="inline-flex" gap={12} c="dimmed">
            <ColorSwatch size={10} radius={3} color="var(--card)" />
            {label}
          </Group>,
          <span className="muted">({usd(amount)})</span>,
          <>
            {texts.notCounted}
            {isOne && `, ${t.in.late(days)}`}{' '}
            {isOne ? (
              <Anchor component="button" fw={500} fz="sm" onClick={() => void settle(income)}>
                {texts.receive}
              </Anchor>
            ) : (
              <Anchor href="#incomes" fw={500} fz="sm">
                {texts.receiveThem}
              </Anchor>
            )}
          </>,
        ],
      ]}
    />
  );
}
