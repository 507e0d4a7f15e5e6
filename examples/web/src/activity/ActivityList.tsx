/** What was done, by day, with undo. */
import { useState } from 'react';
import { Anchor, Box, Button, Flex, Group, Text } from '@mantine/core';
import { dayOf, messageOf } from 'expense-service-client';
import { Link } from 'wouter';
import { queries, useMe } from '../api';
import { Loaded, Nothing, PageHead } from '../components/Page';
import { useLocale } from '../locale';
import { useDone } from '../write';
import { pageOf, useDescribe } from './describe';
import {
  isClosing,
  isUndone,
  operationsOf,
  type ActivityRecord,
  type Operation,
} from './operations';
import { useActivity } from './useActivity';

export function ActivityPage() {
  const { t } = useLocale();
  return (
    <>
      <PageHead title={t.activity.title} />
      <section className="card" aria-label={t.activity.title}>
        <ActivityList />
      </section>
    </>
  );
}

interface ActivityListProps {
  /** Left out: of all that changed in the last weeks. */
  cycleId?: string;
}

export function ActivityList({ cycleId }: ActivityListProps) {
  const { t, day } = useLocale();
  const { today, time_zone: zone = 'UTC' } = useMe().data ?? {};
  const [pages, setPages] = useState(1);
  const dateOf = ({ records: [{ created_at: at }] }: Operation) => dayOf(at, zone);
  return (
    <Loaded state={useActivity(cycleId, pages)} height={640}>
      {({ records, hasOlder, subjectOf }) => {
        const operations = operationsOf(records);
        return (
          <>
            {operations.length === 0 && <Nothing title={t.activity.none} />}
            {[...new Set(operations.map(dateOf))].map((date) => (
              <section key={date} aria-label={day(date, 'full')}>
                <Group className="group band" gap={8}>
                  <h2 className="band">{date === today ? t.today : day(date)}</h2>
                </Group>
                <ul className="group">
                  {operations
                    .filter((each) => dateOf(each) === date)
                    .map((each) => (
                      <Line key={each.records[0].id} operation={each} subjectOf={subjectOf} />
                    ))}
                </ul>
              </section>
            ))}
            {hasOlder && (
              <Button variant="subtle" m="sm" onClick={() => setPages(pages + 1)}>
                {t.activity.older}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface LineProps {
  operation: Operation;
  subjectOf: Parameters<typeof useDescribe>[0];
}

function Line({ operation, subjectOf }: LineProps) {
  const { t, locale } = useLocale();
  const texts = t.activity;
  const me = useMe().data;
  const { name, what, amount, detail } = useDescribe(subjectOf)(operation);
  const title = `${name} ${what}`.trim();
  const { run, isSaving, problem } = useTurn(operation, title);
  const [record] = operation.records;
  const last = operation.undos.at(-1)?.records[0];
  const undone = isUndone(operation);
  const isMine = ({ actor_user_id: id }: ActivityRecord) => id === me?.id;
  const canTurn = operation.id !== null && !isClosing(operation) && isMine(record) && !problem;
  const who = (each: ActivityRecord) =>
    isMine(each) ? texts.you : (each.actor?.first_name ?? each.actor?.email ?? '');
  const time = ({ created_at: at }: ActivityRecord) =>
    new Date(at).toLocaleTimeString(locale, { timeZone: me?.time_zone, timeStyle: 'short' });
  const struck = undone ? 'line-through' : undefined;
  return (
    <Group component="li" className="operation" wrap="nowrap">
      <Text span inherit c="dimmed" w={72} style={{ flexShrink: 0 }} visibleFrom="sm">
        {time(record)}
      </Text>
      <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text span inherit fw={500} td={struck}>
          {what ? texts.named(name) : name}
        </Text>{' '}
        {what}
        <div className="detail muted">
          {[who(record), detail].filter(Boolean).join(' · ')}
          <Text span inherit hiddenFrom="sm">
            {` · ${time(record)}`}
          </Text>
        </div>
        {undone && last && (
          <div className="muted">{texts.undoneBy(texts.by(who(last)), time(last))}</div>
        )}
        {problem && (
          <div className="muted" role="alert">
            {problem}{' '}
            <Anchor component={Link} href={pageOf(record)}>
              {texts.byHand}
            </Anchor>
          </div>
        )}
      </div>
      <Flex direction={{ base: 'column', sm: 'row' }} align={{ base: 'flex-end', sm: 'center' }}>
        <Text span inherit className="num" td={struck}>
          {amount}
        </Text>
        <Box miw={{ base: 0, sm: 112 }} ta="right">
          {canTurn && (
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={isSaving}
              aria-label={`${undone ? texts.redo : t.do.undo}: ${title}`}
              onClick={() => void run()}
            >
              {undone ? texts.redo : t.do.undo}
            </Button>
          )}
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
  const done = isUndone(operation) ? t.activity.redone : t.activity.undone;
  const { id } = operation.undos.at(-1) ?? operation;

  async function run(): Promise<void> {
    setSaving(true);
    try {
      const { operationId } = await queries.undo(id ?? '');
      showDone(done(what), operationId);
    } catch (error) {
      setProblem(messageOf(error, language));
    } finally {
      setSaving(false);
    }
  }

  return { run, isSaving, problem };
}
