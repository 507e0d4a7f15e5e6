/** The expenses or the incomes of a cycle in columns, for screens that are wide enough. */
import type { MouseEvent, ReactNode } from 'react';
import { Checkbox, Table, Text, UnstyledButton } from '@mantine/core';
import { formatNumber, isNegative, subtractAmounts } from 'expense-service-client';
import type { Currency } from '../api';
import { EntryName } from '../components/Page';
import { useLocale } from '../locale';
import { dateOf, isExpense, type Entry, type Kind } from './entry';
import { moveByKey } from './keys';
import { useEntryRow, type EntryRowProps } from './useEntryRow';

const COLUMNS = 9;

interface EntryTableProps {
  kind: Kind;
  label: string;
  /** Marks all that can be marked, or none. */
  markAll?: ReactNode;
  /** The groups with their rows. */
  children: ReactNode;
}

export function EntryTable({ kind, label, markAll, children }: EntryTableProps) {
  const { t } = useLocale();
  const texts = t.entries.columns;
  return (
    <Table
      aria-label={label}
      className="entries"
      horizontalSpacing="xs"
      verticalSpacing={6}
      onKeyDown={moveByKey}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Td w={56}>{markAll}</Table.Td>
          <Table.Th scope="col">{kind === 'expense' ? texts.due : texts.expected}</Table.Th>
          <Table.Th scope="col">{t.add[kind]}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {t.fields.budget}
          </Table.Th>
          <Table.Th scope="col" className="num" visibleFrom="lg">
            {texts.planned}
          </Table.Th>
          <Table.Th scope="col" className="num">
            {t.fields.amount}
          </Table.Th>
          <Table.Th scope="col" className="num">
            {t.accounts.inDollars}
          </Table.Th>
          <Table.Th scope="col">{t.entries.state}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      {children}
    </Table>
  );
}

interface GroupProps {
  title: string;
  /** How many there are, and how much it is. */
  figures: string;
  /** After the rows. */
  end: ReactNode;
  children: ReactNode;
}

export function TableGroup({ title, figures, end, children }: GroupProps) {
  return (
    <Table.Tbody aria-label={title}>
      <Table.Tr bg="var(--current)">
        <Table.Th colSpan={COLUMNS} scope="rowgroup">
          {title}{' '}
          <Text span fw={400} c="dimmed">
            {figures}
          </Text>
        </Table.Th>
      </Table.Tr>
      {children}
      {end && (
        <Table.Tr>
          <Table.Td colSpan={COLUMNS}>{end}</Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

/** A press anywhere on the row opens it; for keyboards and screen readers its name is a button. */
export function TableRow(props: EntryRowProps) {
  const { entry, isMarked, onMark, onOpen } = props;
  const { t, usd, day } = useLocale();
  const row = useEntryRow(props);
  const open = ({ target }: MouseEvent<HTMLElement>) => {
    if (!(target as Element).closest('button, input, label')) onOpen?.(entry);
  };
  return (
    <>
      <Table.Tr data-row className={isMarked ? 'marked' : undefined} onClick={open}>
        <Table.Td>
          {onMark && (
            <Checkbox
              checked={isMarked}
              onChange={onMark}
              aria-label={t.entries.mark(entry.description)}
            />
          )}
        </Table.Td>
        <Table.Td className={row.isLate ? 'nowrap danger' : 'nowrap'}>
          {day(dateOf(entry))}
        </Table.Td>
        <Table.Td>
          <UnstyledButton fw={500} {...row.opener}>
            <EntryName {...entry} />
          </UnstyledButton>{' '}
          <span className="detail muted">{entry.payment_method?.name}</span>
        </Table.Td>
        <Table.Td visibleFrom="md" className="muted">
          {entry.budget?.name}
        </Table.Td>
        <Table.Td visibleFrom="lg" className="num muted">
          <Planned entry={entry} />
        </Table.Td>
        <Table.Td className="num">
          <Deviation entry={entry} /> <Figure amount={entry.amount} currency={entry.currency} />
        </Table.Td>
        <Table.Td className="num">{usd(entry.amount_usd)}</Table.Td>
        <Table.Td className={`nowrap ${row.color}`}>
          {row.mark && <span aria-hidden>{row.mark} </span>}
          {row.text}
        </Table.Td>
        <Table.Td className="num">{row.action}</Table.Td>
      </Table.Tr>
      {row.payment && (
        <Table.Tr>
          <Table.Td colSpan={COLUMNS} bg="var(--sunken)">
            {row.payment}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** `44.10 USD`: the column beside it has the dollars. */
function Figure({ amount, currency }: { amount: string; currency: Currency }) {
  const { locale } = useLocale();
  return (
    <>
      {formatNumber(amount, locale)} <small className="muted">{currency}</small>
    </>
  );
}

function Planned({ entry }: { entry: Entry }) {
  const { t } = useLocale();
  if (entry.planned_amount === null) return <>{t.entries.columns.notPlanned}</>;
  return <Figure amount={entry.planned_amount} currency={entry.currency} />;
}

/** `+2.10`, where it is more than planned. */
function Deviation({ entry }: { entry: Entry }) {
  const { locale } = useLocale();
  const { amount, planned_amount: planned } = entry;
  if (planned === null || planned === amount) return null;
  const difference = subtractAmounts(amount, planned);
  const isWorse = isNegative(difference) !== isExpense(entry);
  const sign = isNegative(difference) ? '−' : '+';
  return (
    <small className={isWorse ? 'danger' : 'accent'}>
      {sign + formatNumber(difference.replace('-', ''), locale)}
    </small>
  );
}
