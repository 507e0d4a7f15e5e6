/** What was done, by day, with undo. */
import { useState } from 'react';
import { Anchor, Box, Button, Flex, Group, Text } from '@mantine/core';
import { dayOf, messageOf } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe } from '../api';
import { Loaded, Nothing } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { pageOf, useDescribe } from './describe';
import { isClosing, isUndone, operationsOf } from './operations';
import type { ActivityRecord, Operation } from './operations';
import { useActivity, type Subject } from './useActivity';

interface ActivityListProps {
  /** Left out: of all that changed in the last weeks. */
  cycleId?: string;
}

export function ActivityList({ cycleId }: ActivityListProps) {
  const { t } = useLocale();
  const [pages, setPages] = useState(1);
  const state = useActivity(cycleId, pages);
  return (
    <Loaded state={state} height={640}>
      {({ records, hasOlder, subjectOf }) => (
        <>
          <Days operations={operationsOf(records)} subjectOf={subjectOf} />
          {hasOlder && (
            <Button variant="subtle" m="sm" onClick={() => setPages(pages + 1)}>
              {t.activity.older}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}

interface DaysProps {
  operations: Operation[];
  subjectOf: (record: ActivityRecord) => Subject;
}

function Days({ operations, subjectOf }: DaysProps) {
  const { t, day } = useLocale();
  const me = useMe().data;
  const describe = useDescribe(subjectOf);
  const dateOf = ({ records: [{ created_at: at }] }: Operation) =>
    dayOf(at, me?.time_zone ?? 'UTC');
  const dates = new Set(operations.map(dateOf));
  if (operations.length === 0) return <Nothing title={t.activity.none} />;
  return [...dates].map((date) => (
    <section key={date} aria-label={day(date, 'full')}>
      <Group className="group band" gap={8}>
        <h2 className="band">{date === me?.today ? t.today : day(date)}</h2>
        {date === me?.today && <span className="muted">{day(date)}</span>}
      </Group>
      <ul className="group">
        {operations
          .filter((operation) => dateOf(operation) === date)
          .map((operation) => (
            <Line key={operation.records[0].id} operation={operation} {...describe(operation)} />
          ))}
      </ul>
    </section>
  ));
}

interface LineProps {
  operation: Operation;
  name: string;
  what: string;
  amount: string;
}

function Line({ operation, name, what, amount }: LineProps) {
  const { t } = useLocale();
  const texts = t.activity;
  const people = usePeople();
  const turn = useTurn(operation, `${name} ${what}`);
  const [record] = operation.records;
  const last = operation.undos.at(-1)?.records[0];
  const canTurn = operation.id !== null && !isClosing(operation) && people.isMine(record);
  const time = people.timeOf(record);
  const undone = isUndone(operation);
  const button = (
    <Button
      variant="subtle"
      size="compact-sm"
      disabled={turn.isSaving}
      aria-label={(undone ? texts.redoOf : texts.undoOf)(`${name} ${what}`)}
      onClick={() => void turn.run()}
    >
      {undone ? texts.redo : t.do.undo}
    </Button>
  );
  return (
    <Group component="li" className="operation" wrap="nowrap" gap="md">
      <Text span inherit className="muted" w={64} visibleFrom="sm">
        {time}
      </Text>
      <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text span inherit fw={500} td={undone ? 'line-through' : undefined}>
          {texts.named(name)}
        </Text>{' '}
        {what}
        <div className="detail muted">
          {people.nameOf(record)}
          <Text span inherit hiddenFrom="sm">
            {` · ${time}`}
          </Text>
        </div>
        {undone && last && (
          <div className="muted">
            {texts.undoneBy(texts.by(people.nameOf(last)), people.timeOf(last))}
          </div>
        )}
        {turn.problem && (
          <div className="muted" role="alert">
            {turn.problem}{' '}
            <Anchor component={Link} href={pageOf(record)}>
              {texts.byHand}
            </Anchor>
          </div>
        )}
      </div>
      <Flex direction={{ base: 'column', sm: 'row' }} align={{ base: 'flex-end', sm: 'center' }}>
        <Text span inherit className="num" td={undone ? 'line-through' : undefined}>
          {amount}
        </Text>
        <Box miw={{ base: 0, sm: 112 }} ta="right">
          {turn.problem ? <span className="muted">{texts.cannot}</span> : canTurn && button}
        </Box>
      </Flex>
    </Group>
  );
}

/** Takes an operation back, or its undo. */
function useTurn(operation: Operation, what: string) {
  const { t, language } = useLocale();
  const showDone = useDone();
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const undone = isUndone(operation);
  const { id } = operation.undos.at(-1) ?? operation;

  async function run(): Promise<void> {
    setSaving(true);
    try {
      const { operationId } = await queries.undo(id ?? '');
      showDone((undone ? t.activity.redone : t.activity.undone)(what), operationId);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error, language));
    } finally {
      setSaving(false);
    }
  }

  return { run, isSaving, problem };
}

/** Who did something, and when. */
function usePeople() {
  const { t, locale } = useLocale();
  const me = useMe().data;
  const time = new Intl.DateTimeFormat(locale, {
    timeZone: me?.time_zone ?? 'UTC',
    timeStyle: 'short',
  });
  return {
    isMine: ({ actor_user_id: id }: ActivityRecord) => id === me?.id,
    nameOf: ({ actor_user_id: id, actor }: ActivityRecord) =>
      id === me?.id ? t.activity.you : (actor?.first_name ?? actor?.email ?? '—'),
    timeOf: ({ created_at: at }: ActivityRecord) => time.format(new Date(at)),
  };
}
