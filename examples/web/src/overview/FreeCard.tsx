/** What can be spent until the next pay day, and how that comes about. */
import { useState, type ReactNode } from 'react';
import {
  Alert,
  Anchor,
  ColorSwatch,
  Group,
  Popover,
  Progress,
  SimpleGrid,
  Text,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import {
  compareAmounts,
  explainFree,
  isNegative,
  toCents,
  type FreeExplanation,
} from 'expense-service-client';
import type { Forecast } from '../api';
import { Pairs } from '../components/Page';
import { FieldError, RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import type { Plan } from './plan';
import { useMinimumBalance } from './usePlan';

/** Of the API. */
const MAX_AMOUNT = '999999999.99';

interface FreeCardProps {
  plan: Plan;
  /** The forecast with a change that is tried. */
  changed: Forecast | undefined;
}

export function FreeCard({ plan: { forecast, user }, changed }: FreeCardProps) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const present = explainFree(forecast);
  const shown = explainFree(changed ?? forecast);
  const { free, short, payDay, lastDay, minimum } = shown;
  const ending = payDay ? texts.nextPayDay : texts.noPayDay;
  const later = short && forecast.pay_windows.find(({ from }) => from > short.date)?.from;
  return (
    <section className="card" aria-labelledby="free">
      <SimpleGrid cols={{ base: 1, md: changed ? 1 : 2 }} spacing="xl" p={{ base: 'md', sm: 'xl' }}>
        <div>
          <Text id="free" component="h1" fz={16} c="dimmed">
            {texts.free}
          </Text>
          <Text fz={{ base: 52, sm: 64 }} lh="80px" fw={600} lts="-0.035em">
            {free !== present.free && (
              <Text span fz={32} td="line-through" c="dimmed" mr="md">
                {usd(present.free)}
              </Text>
            )}
            <span className={changed && short ? 'danger' : undefined}>{usd(free)}</span>
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
              : texts.safe(day(forecast.to, 'day'), usd(minimum))}
            {later && ` ${texts.advice(day(later))}`}
          </Text>
        </div>
        <Parts {...shown} change={<MinimumBalance userId={user.id} />} />
      </SimpleGrid>
    </section>
  );
}

type PartsProps = FreeExplanation & { change: ReactNode };

/** Balance - due - kept - minimum = free, as a bar and as a list. */
function Parts({ balance, incomes, due, kept, minimum, free, short, ...freedom }: PartsProps) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const bills = texts.bills(freedom.dueCount, freedom.overdueCount);
  const parts = [
    {
      label: texts.dueUntil(day(freedom.lastDay)),
      detail: bills,
      amount: due,
      color: '--part-due',
    },
    kept && {
      ...{ label: texts.keptFor(day(kept.date)), detail: texts.lowestDay },
      ...{ amount: kept.amount, color: '--part-kept' },
    },
    {
      ...{ label: texts.minimum, detail: freedom.change },
      ...{ amount: minimum, color: '--part-minimum' },
    },
  ].filter((part) => part !== undefined);
  const result = short
    ? { label: texts.shortOn(day(short.date)), amount: short.by, color: '--danger' }
    : { label: texts.freeShort, amount: free, color: '--accent' };
  const total = [...parts, result].reduce((sum, { amount }) => sum + toCents(amount), 0n);
  const term = (label: string, color?: string) => (
    <Group component="span" display="inline-flex" gap={12} fw={500}>
      <ColorSwatch
        {...{ size: 10, radius: 3, withShadow: false, color: `var(${color})` }}
        style={{ visibility: color ? undefined : 'hidden' }}
      />
      {label}
    </Group>
  );
  return (
    <div>
      <Progress.Root size={12} mb="md" aria-hidden>
        {[...parts, result].map(({ color, amount }) => (
          <Progress.Section
            key={color}
            {...{ withAria: false, color: `var(${color})` }}
            value={Number((toCents(amount) * 10_000n) / (total || 1n)) / 100}
          />
        ))}
      </Progress.Root>
      <Pairs
        label={texts.parts}
        pairs={[
          [term(texts.balanceToday), usd(balance)],
          ...(incomes ? [[term(texts.lateIncomes), usd(incomes, 'always')] as const] : []),
          ...parts.map(
            ({ label, color, amount, detail }) =>
              [term(label, color), usd(`-${amount}`), detail] as const,
          ),
          [
            term(result.label, result.color),
            ...([usd(short ? `-${short.by}` : free), '', short ? 'danger' : undefined] as const),
          ],
        ]}
      />
    </div>
  );
}

function MinimumBalance({ userId }: { userId: string }) {
  const { t } = useLocale();
  const [minimum, setMinimum] = useMinimumBalance(userId);
  const [isOpen, setOpen] = useState(false);
  const field = { label: t.overview.minimum, description: t.overview.minimumHelp, value: minimum };

  async function save(body: { minimum: string }): Promise<void> {
    const isWithin = compareAmounts(body.minimum, MAX_AMOUNT) <= 0;
    if (isNegative(body.minimum) || !isWithin)
      throw new FieldError('minimum', t.fields.invalidAmount);
    setMinimum(body.minimum);
    setOpen(false);
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start" width={280}>
      <Popover.Target>
        <Anchor component="button" fw={500} fz="sm" onClick={() => setOpen(!isOpen)}>
          {t.do.change}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown>
        <RecordForm
          fields={{ minimum: { ...field, kind: 'money' } }}
          {...{ send: save, label: t.do.save }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
