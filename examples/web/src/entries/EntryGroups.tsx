/** The entries of a cycle in groups: in tables, or in lists on a phone. */
import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { Card, useIsNarrow } from '../components/Page';
import { useTotal } from '../components/Total';
import { useLocale } from '../locale';
import { totalUsd, type Entry, type Kind, type Settling } from './entry';
import { EntryRow } from './EntryRow';
import { EntryTable, TableGroup, TableRow } from './EntryTable';
import { moveByKey } from './keys';
import type { EntryRowProps } from './useEntryRow';

export interface EntryGroup {
  kind: Kind;
  title: string;
  detail?: string;
  list: Entry[];
  /** Whether its entries can be marked. */
  canMark?: boolean;
  /** Whether only the first ones are shown at first. */
  folds?: boolean;
}

interface EntryGroupsProps {
  groups: EntryGroup[];
  settling: Settling;
  onOpen: EntryRowProps['onOpen'];
  /** The ids of the entries that are marked. */
  marks: readonly string[];
  /** Left out: none can be marked. */
  onMarks: ((marks: readonly string[]) => void) | undefined;
}

export function EntryTables({ groups, ...props }: EntryGroupsProps) {
  const { t } = useLocale();
  const { marks, onMarks } = props;
  const markable = groups.find(({ canMark }) => canMark)?.list.map(({ id }) => id) ?? [];
  const isAll = markable.every((id) => marks.includes(id));
  const markAll = onMarks && markable.length > 0 && (
    <Checkbox
      aria-label={t.entries.markAll}
      checked={isAll}
      indeterminate={!isAll && marks.length > 0}
      onChange={() => onMarks(isAll ? [] : markable)}
    />
  );
  return (['expense', 'income'] as const)
    .map((kind) => ({ kind, ofKind: groups.filter((each) => each.kind === kind) }))
    .filter(({ ofKind }) => ofKind.length > 0)
    .map(({ kind, ofKind }) => {
      const label = kind === 'expense' ? t.entries.expenses : t.entries.incomes;
      return (
        <section key={kind} className="card" aria-label={label}>
          <EntryTable kind={kind} label={label} markAll={kind === 'expense' && markAll}>
            {ofKind.map((group) => (
              <GroupOfTable key={group.title} group={group} {...props} />
            ))}
          </EntryTable>
        </section>
      );
    });
}

export function EntryLists({ groups, ...props }: EntryGroupsProps) {
  return groups.map((group) => <GroupCard key={group.title} group={group} {...props} />);
}

interface GroupProps extends Omit<EntryGroupsProps, 'groups'> {
  group: EntryGroup;
}

function GroupOfTable(props: GroupProps) {
  const { rows, figures, more } = useGroup(props);
  return (
    <TableGroup title={props.group.title} figures={figures} end={more}>
      {rows.map((row) => (
        <TableRow key={row.entry.id} {...row} />
      ))}
    </TableGroup>
  );
}

function GroupCard(props: GroupProps) {
  const { title } = props.group;
  const { rows, figures, more } = useGroup(props);
  return (
    <Card flush title={title} end={<span className="muted">{figures}</span>}>
      <div role="group" aria-label={title} className="group" onKeyDown={moveByKey}>
        {rows.map((row) => (
          <EntryRow key={row.entry.id} {...row} />
        ))}
      </div>
      {more}
    </Card>
  );
}

/** The rows that are shown, the button that shows the others, and the figures of all. */
function useGroup({ group, settling, onOpen, marks, onMarks }: GroupProps) {
  const { t } = useLocale();
  const total = useTotal();
  const isNarrow = useIsNarrow();
  const [isWhole, setWhole] = useState(false);
  const { detail, list, canMark, folds } = group;
  const shown = folds && !isWhole ? list.slice(0, isNarrow ? 5 : 7) : list;
  const toggle = (id: string) =>
    onMarks?.(marks.includes(id) ? marks.filter((each) => each !== id) : [...marks, id]);
  return {
    rows: shown.map((entry) => ({
      entry,
      settling,
      onOpen,
      isMarked: canMark && marks.includes(entry.id),
      onMark: canMark && onMarks ? () => toggle(entry.id) : undefined,
    })),
    figures: [String(list.length), total(totalUsd(list)).text, detail].filter(Boolean).join(' · '),
    more: list.length > shown.length && (
      <Button variant="subtle" m={isNarrow ? 'sm' : 0} onClick={() => setWhole(true)}>
        {t.entries.showMoreOf(list.length - shown.length)}
      </Button>
    ),
  };
}
