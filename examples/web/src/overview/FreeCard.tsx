/** What can be spent until the next pay day, and how that comes about. */
import { useState } from 'react';
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
import { compareAmounts, isNegative, toCents, type FreeExplanation } from 'expense-service-client';
import { Pairs } from '../components/Page';
import { FieldError, RecordForm } from '../components/RecordForm';
import { useLocale } from '../locale';
import { useMinimumBalance } from './usePlan';

interface FreeCardProps {
  freedom: FreeExplanation;
  /** The end of the forecast. */
  end: string;
  /** The same with a change that is tried. */
  changed: FreeExplanation | undefined;
}

export function FreeCard({ freedom, changed, end }: FreeCardProps) {
  const { t, usd, day } = useLocale();
  const texts = t.overview;
  const { free, short, payDay, lastDay, minimum } = changed ?? freedom;
  const isWorse = changed && compareAmounts(changed.free, freedom.free) < 0;
  const ending = payDay ? texts.nextPayDay : texts.noPayDay;
  return (
    <section className="card" aria-labelledby="free">
      <SimpleGrid cols={{ base: 1, md: changed ? 1 : 2 }} spacing="xl" p={{ base: 'md', sm: 'xl' }}>
        <div>
          <Text id="free" component="h1" fz={16} c="dimmed">
            {texts.free}
          </Text>
          <Text fz={64} lh="80px" fw={600} lts="-0.035em">
            {changed && changed.free !== freedom.free && (
              <Text span fz={32} td="line-through" c="dimmed" mr="md">
                {usd(freedom.free)}
              </Text>
            )}
            <span className={isWorse ? 'danger' : undefined}>{usd(free)}</span>
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
              : texts.safe(day(end, 'day'), usd(minimum))}
            {short && payDay && ` ${texts.advice(day(payDay))}`}
          </Text>
        </div>
        <Parts {...(changed ?? freedom)} />
      </SimpleGrid>
    </section>
  );
}

/** Balance - due - kept - minimum = free, as a bar and as a list. */
function Parts({ balance, incomes, due, kept, minimum, free, short, ...freedom }: FreeExplanation) {
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
      ...{ label: texts.minimum, detail: <MinimumBalance /> },
      ...{ amount: minimum, color: '--part-minimum' },
    },
  ].filter((part) => part !== undefined);
  const result = short
    ? { label: texts.shortOn(day(short.date)), amount: short.by, color: '--danger' }
    : { label: texts.freeShort, amount: free, color: '--accent' };
  const total = [...parts, result].reduce((sum, { amount }) => sum + toCents(amount), 0n);
  const term = (label: string, color?: string) => (
    <Group component="span" display="inline-flex" gap={12} fw={500}>
      {color ? (
        <ColorSwatch size={10} radius={3} color={`var(${color})`} withShadow={false} />
      ) : (
        <span style={{ width: 10 }} />
      )}
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

function MinimumBalance() {
  const { t } = useLocale();
  const [minimum, setMinimum] = useMinimumBalance();
  const [isOpen, setOpen] = useState(false);
  const field = { label: t.overview.minimum, description: t.overview.minimumHelp, value: minimum };

  async function save(body: { minimum: string }): Promise<void> {
    if (isNegative(body.minimum)) throw new FieldError('minimum', t.fields.invalidAmount);
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
