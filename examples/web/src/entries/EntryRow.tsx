import { Checkbox, UnstyledButton } from '@mantine/core';
import { EntryName, useIsNarrow } from '../components/Page';
import { Row } from '../components/Row';
import { useLocale } from '../locale';
import { dateOf, isByCard, isExpense } from './entry';
import { useEntryRow, type EntryRowProps } from './useEntryRow';

interface ListRowProps extends EntryRowProps {
  /** Whether the day is named elsewhere, unless it is over. */
  hidesDay?: boolean;
  /** Whether it stands in the statement that it leaves with. */
  isOnCard?: boolean;
}

/** An entry that is paid or received with one press, and opened with one on its row. */
export function EntryRow({ hidesDay, isOnCard, ...props }: ListRowProps) {
  const { entry, isMarked, onMark } = props;
  const { t, money, day } = useLocale();
  const isNarrow = useIsNarrow();
  const row = useEntryRow(props);
  const { days, isLate } = row;
  const { currency, planned_amount: planned } = entry;
  const details = [
    !hidesDay && !isLate && (!row.isDone || isByCard(entry)) && day(dateOf(entry)),
    !hidesDay && !isExpense(entry) && !row.isDone && days >= 0 && t.in.days(days),
    isByCard(entry) ? (!isOnCard || days > 0) && `${row.mark} ${row.text}` : row.isDone && row.text,
    !isNarrow && isExpense(entry) && !isOnCard && entry.payment_method.name,
    !isNarrow && entry.budget?.name,
    planned && planned !== entry.amount && t.entries.plannedAs(money(planned, currency)),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <Row
        isMarked={isMarked}
        money={entry}
        mark={
          onMark && (
            <Checkbox
              checked={isMarked}
              onChange={onMark}
              aria-label={t.entries.mark(entry.description)}
            />
          )
        }
        name={
          <UnstyledButton fw={500} className="name" {...row.opener}>
            <EntryName {...entry} />
          </UnstyledButton>
        }
        details={
          <>
            {isLate && (
              <span className="danger">{`${day(dateOf(entry))}, ${t.in.late(-days)}`}</span>
            )}
            {isLate && details && ' · '}
            {details}
          </>
        }
      >
        {row.action}
      </Row>
      {row.payment}
    </>
  );
}
