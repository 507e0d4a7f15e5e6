/** What can be spent until the next pay day, and how that comes about. */
import { useState } from 'react';
import { Anchor, Button, Popover, Progress } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { compareAmounts, parseAmount, toCents } from 'expense-service-client';
import { MoneyField } from '../components/forms';
import { useLocale } from '../locale';
import type { Freedom } from './plan';
import { useMinimumBalance } from './usePlan';
import css from './overview.module.css';

interface HeroProps {
  freedom: Freedom;
  /** The end of the forecast. */
  end: string;
  /** The same with a change that is tried. */
  changed: Freedom | undefined;
}

export function Hero({ freedom, changed, end }: HeroProps) {
  const { t, usd, day } = useLocale();
  const { free, short, payDay, until } = changed ?? freedom;
  const isWorse = changed !== undefined && compareAmounts(changed.free, freedom.free) < 0;
  return (
    <section className={`card ${css.hero}`} aria-labelledby="free">
      <div className={css.heroMain}>
        <h1 id="free">{t.overview.free}</h1>
        <p className={css.figure}>
          {changed && changed.free !== freedom.free && <s>{usd(freedom.free)}</s>}
          <span className={isWorse ? 'danger' : undefined}>{usd(free)}</span>
        </p>
        <p className={css.until}>
          {t.overview.until} <b>{day(payDay ?? until, 'long')}</b>
          {changed
            ? `, ${t.overview.withChange}`
            : payDay
              ? t.overview.nextPayDay
              : t.overview.noPayDay}
        </p>
        {short && (
          <p className={css.callout}>
            <IconAlertTriangle size={18} aria-hidden />
            {t.overview.shortBy(usd(short.by), day(short.date, 'long'))}
          </p>
        )}
        <p className={css.note}>
          {short
            ? t.overview.shortNote(usd(short.balance), usd(freedom.minimum))
            : t.overview.safe(day(end, 'day'), usd(freedom.minimum))}
          {short && payDay && ` ${t.overview.advice(day(payDay))}`}
        </p>
      </div>
      <Parts freedom={changed ?? freedom} />
    </section>
  );
}

/** Balance - due - kept - minimum = free, as a bar and as a list. */
function Parts({ freedom }: { freedom: Freedom }) {
  const { t, usd, day } = useLocale();
  const { balance, incomes, due, kept, minimum, free, short, until } = freedom;
  const minus = (amount: string): string => usd(`-${amount}`);
  const parts = [
    { color: 'var(--part-due)', amount: due.amount },
    { color: 'var(--part-kept)', amount: kept?.amount ?? '0.00' },
    { color: 'var(--part-minimum)', amount: minimum },
    { color: short ? 'var(--hatching)' : 'var(--accent)', amount: short?.by ?? free },
  ];
  const total = parts.reduce((sum, { amount }) => sum + toCents(amount), 0n);
  return (
    <div className={css.parts}>
      <Progress.Root size={12} aria-hidden classNames={{ root: css.stack }}>
        {parts.map(({ color, amount }) => (
          <Progress.Section
            key={color}
            withAria={false}
            value={total ? Number((toCents(amount) * 10_000n) / total) / 100 : 0}
            style={{ background: color }}
          />
        ))}
      </Progress.Root>
      <dl aria-label={t.overview.parts}>
        <Part label={t.overview.balanceToday} amount={usd(balance)} />
        {compareAmounts(incomes, '0.00') > 0 && (
          <Part label={t.overview.lateIncomes} amount={usd(incomes, 'always')} />
        )}
        <Part
          label={t.overview.dueUntil(day(until))}
          detail={t.overview.bills(due.count, due.overdueCount)}
          amount={minus(due.amount)}
          color={parts[0]?.color}
        />
        {kept && (
          <Part
            label={t.overview.keptFor(day(kept.date))}
            detail={t.overview.lowestDay}
            amount={minus(kept.amount)}
            color={parts[1]?.color}
          />
        )}
        <Part
          label={t.overview.minimum}
          detail={<MinimumBalance />}
          amount={minus(minimum)}
          color={parts[2]?.color}
        />
        <Part
          label={short ? t.overview.shortOn(day(short.date)) : t.overview.freeShort}
          amount={short ? minus(short.by) : usd(free)}
          color={parts[3]?.color}
          className={short ? 'danger' : undefined}
        />
      </dl>
    </div>
  );
}

interface PartProps {
  label: string;
  detail?: React.ReactNode;
  amount: string;
  color?: string;
  className?: string;
}

function Part({ label, detail, amount, color, className }: PartProps) {
  return (
    <div className={className}>
      <dt>
        <span className={css.swatch} style={{ background: color }} />
        <b>{label}</b> <span className="muted">{detail}</span>
      </dt>
      <dd className={className ?? ''}>{amount}</dd>
    </div>
  );
}

function MinimumBalance() {
  const { t, locale } = useLocale();
  const [minimum, setMinimum] = useMinimumBalance();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(minimum);
  const [error, setError] = useState<string>();

  function save(event: React.FormEvent): void {
    event.preventDefault();
    const amount = parseAmount(text, locale);
    if (amount === undefined || compareAmounts(amount, '0.00') < 0) {
      setError(t.fields.invalidAmount);
      return;
    }
    setMinimum(amount);
    setOpen(false);
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} withArrow trapFocus position="bottom-start">
      <Popover.Target>
        <Anchor component="button" fw={500} fz="sm" onClick={() => setOpen(!isOpen)}>
          {t.do.change}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={save}>
          <MoneyField
            label={t.overview.minimum}
            description={t.overview.minimumHelp}
            currency="USD"
            value={text}
            error={error}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" mt="sm">
            {t.do.save}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
