import { useState, type ReactNode } from 'react';
import { Alert, Button, Code, CopyButton, Group, UnstyledButton } from '@mantine/core';
import type { Query } from 'expense-service-client';
import { useQuery } from '../api';
import { useLocale } from '../locale';
import { WriteButtons, type WriteAction } from '../write';
import { Card, Loaded, Nothing } from './Page';
import { FormDrawer } from './RecordForm';

interface Row {
  name: string;
  detail?: ReactNode;
  /** At the end of the line, as an amount. */
  end?: ReactNode;
  below?: ReactNode;
  actions?: Omit<WriteAction, 'name'>[];
}

interface RecordListProps<Item> {
  title: string;
  /** What the records are for. */
  text?: string;
  query: Query<Item[]>;
  row: (item: Item) => Row;
  /** Of a new record, and of one that is edited. `close` may be given a secret to show once. */
  form?: (item: Item | undefined, close: (secret?: string) => void) => ReactNode;
  /** Whether records cannot be edited. */
  isFixed?: boolean;
  /** Beside the title. */
  end?: ReactNode;
  /** Until it has been read. */
  height?: number;
}

/** Records, those that are not active last; each can be added, edited and ended in place. */
export function RecordList<Item extends { id: string; active?: boolean }>(
  props: RecordListProps<Item>,
) {
  const { title, text, query, row, form, isFixed = false, end, height = 168 } = props;
  const { t } = useLocale();
  const state = useQuery(query);
  const [edited, setEdited] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const item = state.data?.find(({ id }) => id === edited);
  const add = (
    <Button
      {...{ variant: 'default', size: 'xs', 'aria-label': `${t.nav.add}: ${title}` }}
      onClick={() => setEdited('new')}
    >
      {t.nav.add}
    </Button>
  );

  return (
    <Loaded state={state} height={height}>
      {(items) => (
        <Card
          title={title}
          end={
            <>
              {end}
              {form && items.length > 0 && add}
            </>
          }
        >
          {items.length > 0 && <p className="muted">{text}</p>}
          {items.length === 0 && <Nothing title={text ?? title} action={form && add} />}
          {secret && <Secret secret={secret} />}
          <ul>
            {[...items.filter(isActive), ...items.filter((each) => !isActive(each))].map((each) => {
              const { name, detail, actions = [], ...cells } = row(each);
              return (
                <li key={each.id} style={{ paddingTop: 12 }}>
                  <Group gap="xs" wrap="nowrap">
                    <div style={{ flex: 1, overflowWrap: 'anywhere' }}>
                      {form && !isFixed ? (
                        <UnstyledButton fw={500} onClick={() => setEdited(each.id)}>
                          {name}
                        </UnstyledButton>
                      ) : (
                        name
                      )}
                      <div className="detail muted">
                        {detail} {!isActive(each) && t.inactive}
                      </div>
                    </div>
                    {cells.end}
                    <WriteButtons actions={actions.map((action) => ({ ...action, name }))} />
                  </Group>
                  {cells.below}
                </li>
              );
            })}
          </ul>
          <FormDrawer
            title={item ? row(item).name : `${t.nav.add}: ${title}`}
            opened={edited !== undefined}
            onClose={() => setEdited(undefined)}
          >
            {form?.(item, (shownOnce) => {
              setEdited(undefined);
              setSecret(shownOnce);
            })}
          </FormDrawer>
        </Card>
      )}
    </Loaded>
  );
}

const isActive = ({ active = true }: { active?: boolean }): boolean => active;

function Secret({ secret }: { secret: string }) {
  const { t } = useLocale();
  return (
    <Alert role="status" mt="sm" title={t.account.shownOnce}>
      <Code block style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button mt="xs" variant="default" onClick={copy}>
            {copied ? t.account.copied : t.account.copy}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
