/** The parts that every page is made of. */
import { useId, type ReactNode } from 'react';
import {
  Badge,
  Button,
  CloseButton,
  Group,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Text,
} from '@mantine/core';
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import { fieldErrors, messageOf, type QueryState, type Schemas } from 'expense-service-client';
import { queries, type Currency } from '../api';
import { useLocale } from '../locale';
import { optionsOf } from './rules';

/** Whether it is the screen of a phone. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });

/** Names the page in the title of the window. */
export function usePageTitle(title: string): void {
  const { t } = useLocale();
  useDocumentTitle(`${title} · ${t.name}`);
}

/** The heading of a page, and what can be done with all of it. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <Group gap="sm">
      <h1>{title}</h1>
      <Group gap="xs" ml="auto">
        {children}
      </Group>
    </Group>
  );
}

interface CardProps {
  title: ReactNode;
  /** At the end of the line of the title. */
  end?: ReactNode;
  /** The content goes from edge to edge. */
  flush?: boolean;
  children: ReactNode;
}

export function Card({ title, end, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <Group
        mih={56}
        px={{ base: 'md', sm: 'lg' }}
        pt="md"
        pb="xs"
        gap="xs"
        justify="space-between"
      >
        <h2 id={id}>{title}</h2>
        <Group gap="xs">{end}</Group>
      </Group>
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** The labels of the values. */
  options: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, options, ...props }: ChoiceProps<Value>) {
  return <SegmentedControl size="xs" aria-label={label} data={optionsOf(options)} {...props} />;
}

/** An amount of an entry in its own currency: pesos with their code. */
export function Amount({ amount, currency }: { amount: string; currency: Currency }) {
  const { money } = useLocale();
  if (currency === 'USD') return <>{money(amount, 'USD')}</>;
  const [number] = money(amount, currency).split(/\s(?=\D+$)/);
  return (
    <>
      {number}
      {'\u00a0'}
      <small className="muted">{currency}</small>
    </>
  );
}

/** `Laptop`, with `7 of 12` where it is paid in so many parts. */
export function EntryName({ description, instalment }: Described) {
  const { t } = useLocale();
  return (
    <>
      {description}
      {instalment && (
        <Badge component="span" color="gray" size="sm" ml={6}>
          {t.instalment(instalment.number, instalment.count)}
        </Badge>
      )}
    </>
  );
}

type Described = Pick<Schemas['ForecastEntryResponse'], 'description' | 'instalment'>;

interface RemovableProps {
  text: string;
  /** What its button does. */
  label: string;
  color?: string;
  onRemove: () => void;
}

export function Removable({ text, label, color = 'accent', onRemove }: RemovableProps) {
  return (
    <Badge
      color={color}
      pr={4}
      rightSection={<CloseButton size={18} aria-label={label} title={label} onClick={onRemove} />}
    >
      {text}
    </Badge>
  );
}

/** What it is, an amount or a text, a detail of what it is, and the colour of the amount. */
type Pair = readonly [ReactNode, ReactNode, ReactNode?, ('danger' | 'accent')?];

interface PairsProps {
  label?: string;
  pairs: Pair[];
  /** Whether the last one is the result. */
  isSum?: boolean;
}

/** One below the other. */
export function Pairs({ label, pairs, isSum = true }: PairsProps) {
  return (
    <dl aria-label={label} className={isSum ? 'sum' : undefined}>
      {pairs.map(([term, amount, detail, color], i) => (
        <div key={i} className="pair">
          <dt>
            {term} <span className="muted">{detail}</span>
          </dt>
          <dd className={color}>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Titles, amounts and details, beside each other. */
export function Figures({ figures }: { figures: [string, string, ReactNode?][] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} my="md">
      {figures.map(([title, amount, detail]) => (
        <div key={title}>
          <div className="muted">{title}</div>
          <Text
            fz={{ base: 18, sm: 24 }}
            lh="32px"
            fw={600}
            className={/^[−-]/.test(amount) ? 'nowrap danger' : 'nowrap'}
          >
            {amount}
          </Text>
          <div className="muted">{detail}</div>
        </div>
      ))}
    </SimpleGrid>
  );
}

interface NothingProps {
  title: string;
  text?: string;
  action?: ReactNode;
}

/** What to do first where there is nothing yet. */
export function Nothing({ title, text, action }: NothingProps) {
  return (
    <div className="card-body">
      <b>{title}</b>
      {text && <p className="muted">{text}</p>}
      {action && <Group mt="sm">{action}</Group>}
    </div>
  );
}

interface LoadedProps<Data> {
  state: Pick<QueryState<Data>, 'data' | 'error'>;
  /** Of what it stands for, so that nothing moves when that has been read. */
  height?: number;
  children: (data: Data) => ReactNode;
}

/** What a query has read, a placeholder until then, or what went wrong with a way to try again. */
export function Loaded<Data>({ state, height = 240, children }: LoadedProps<Data>) {
  const { t, language } = useLocale();
  if (state.data !== undefined) return <>{children(state.data)}</>;
  if (state.error === undefined) {
    return (
      <Skeleton className="card" height={height} role="status" aria-busy aria-label={t.loading} />
    );
  }
  const [problem = messageOf(state.error, language)] = Object.values(
    fieldErrors(state.error, language),
  );
  const again = (
    <Button variant="default" onClick={() => void queries.refresh()}>
      {t.do.tryAgain}
    </Button>
  );
  return (
    <div className="card" role="alert">
      <Nothing title={t.problem.load} text={problem} action={again} />
    </div>
  );
}

/** A balance that falls and rises. */
export function Logo() {
  return (
    <svg width="22" height="16" fill="none" stroke="var(--accent)" aria-hidden="true">
      <path d="M1 3h7v5h5v5h8" strokeWidth="2.5" />
      <path d="M8 3h5v5" strokeWidth="2" opacity="0.45" />
    </svg>
  );
}
