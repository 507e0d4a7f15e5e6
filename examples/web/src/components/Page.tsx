/** The parts that every page is made of. */
import { useId, type ReactNode } from 'react';
import { Button, Skeleton } from '@mantine/core';
import type { QueryState } from 'expense-service-client';
import { messageOf } from 'expense-service-client';
import { queries, type Currency } from '../api';
import { useLocale } from '../locale';

interface CardProps {
  title: ReactNode;
  /** At the end of the line of the title. */
  end?: ReactNode;
  /** Its width follows the content of the card, as of a list whose rows go from edge to edge. */
  flush?: boolean;
  children: ReactNode;
}

export function Card({ title, end, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

/** An amount of an entry in its own currency: pesos with their code, dollars in small print. */
export function Amount({ amount, currency }: { amount: string; currency: Currency }) {
  const { money } = useLocale();
  if (currency === 'USD') return <>{money(amount, 'USD')}</>;
  const [number] = money(amount, currency).split(/\s(?=\D+$)/);
  return (
    <>
      {number}
      <span className="currency">{currency}</span>
    </>
  );
}

/** What to do first where there is nothing yet. */
export function Nothing({
  title,
  text,
  action,
}: {
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <div className="card-body">
      <p>
        <b>{title}</b>
      </p>
      {text && <p className="muted">{text}</p>}
      {action && <div style={{ marginTop: 12 }}>{action}</div>}
    </div>
  );
}

/** Of the height of what it stands for, so that nothing moves when that has been read. */
export function Loading({ height = 240 }: { height?: number }) {
  const { t } = useLocale();
  return (
    <div
      className="card"
      aria-busy="true"
      aria-label={t.loading}
      role="status"
      style={{ padding: 24 }}
    >
      <Skeleton height={16} width={96} />
      <Skeleton height={Math.max(height - 96, 24)} mt={16} />
    </div>
  );
}

/** What a query has read, a placeholder until then, or what went wrong with a way to try again. */
export function Loaded<Data>({
  state,
  height,
  children,
}: {
  state: QueryState<Data>;
  height?: number;
  children: (data: Data) => ReactNode;
}) {
  const { t, language } = useLocale();
  if (state.data !== undefined) return <>{children(state.data)}</>;
  if (state.error === undefined) return <Loading height={height} />;
  return (
    <div className="card" role="alert">
      <Nothing
        title={t.problem.load}
        text={messageOf(state.error, language)}
        action={
          <Button variant="default" onClick={() => void queries.refresh()}>
            {t.do.tryAgain}
          </Button>
        }
      />
    </div>
  );
}
