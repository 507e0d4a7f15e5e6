import { useState, type ReactNode } from 'react';
import {
  Alert,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Stack,
  UnstyledButton,
} from '@mantine/core';
import type { Query } from 'expense-service-client';
import { Link } from 'wouter';
import { useQuery } from '../api';
import { useLocale } from '../locale';
import { WriteButtons, type WriteAction } from '../write';
import { Card, Choice, Loaded } from './Page';
import { FormDrawer } from './FormDrawer';

interface Row {
  name: string;
  /** Beside the name. */
  mark?: ReactNode;
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
  /** Between that and the records. */
  above?: ReactNode;
  /** Of the button that adds one. */
  addLabel?: string;
  query: Query<Item[]>;
  row: (item: Item) => Row;
  /** Left out: all have a row of their own. */
  isShown?: (item: Item) => boolean;
  /** The page of a record, where it is not edited in place. */
  href?: (item: Item) => string;
  /** Of a new record, and of one that is edited. `close` may be given a secret to show once. */
  form?: (item: Item | undefined, close: (secret?: string) => void) => ReactNode;
  /** What else a secret can be copied as, by its label. */
  secretForms?: (secret: string) => Record<string, string>;
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
  const { addLabel = t.nav.add, isShown = () => true, href } = props;
  const addTitle = props.addLabel ?? `${t.nav.add}: ${title}`;
  const state = useQuery(query);
  const [edited, setEdited] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const item = state.data?.find(({ id }) => id === edited);
  const add = (
    <Button variant="default" size="xs" aria-label={addTitle} onClick={() => setEdited('new')}>
      {addLabel}
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
              {form && add}
            </>
          }
        >
          {text && <p className="muted">{text}</p>}
          {props.above}
          {secret && <Secret forms={props.secretForms?.(secret) ?? { '': secret }} />}
          <ul>
            {activeFirst(items.filter(isShown)).map((each) => {
              const { name, detail, actions = [], ...cells } = row(each);
              return (
                <li key={each.id} style={{ paddingTop: 12 }}>
                  <Group gap="xs" wrap="nowrap">
                    <div style={{ flex: 1, overflowWrap: 'anywhere' }}>
                      {href ? (
                        <Anchor component={Link} className="name" href={href(each)} c="inherit">
                          {name}
                        </Anchor>
                      ) : form && !isFixed ? (
                        <UnstyledButton
                          className="name"
                          fw={500}
                          onClick={() => setEdited(each.id)}
                        >
                          {name}
                        </UnstyledButton>
                      ) : (
                        name
                      )}{' '}
                      {cells.mark}
                      <div className="detail muted">
                        {detail} {!isActive(each) && t.inactive}
                      </div>
                    </div>
                    {cells.end}
                    {actions.length > 0 && (
                      <WriteButtons actions={actions.map((action) => ({ ...action, name }))} />
                    )}
                  </Group>
                  {cells.below}
                </li>
              );
            })}
          </ul>
          <FormDrawer
            title={item ? row(item).name : addTitle}
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

const activeFirst = <Item extends { active?: boolean }>(items: readonly Item[]): Item[] => [
  ...items.filter(isActive),
  ...items.filter((each) => !isActive(each)),
];

const isActive = ({ active = true }: { active?: boolean }): boolean => active;

/** `forms` by their labels. */
function Secret({ forms }: { forms: Record<string, string> }) {
  const { t } = useLocale();
  const labels = Object.keys(forms);
  const [label, setLabel] = useState(labels[0] ?? '');
  const text = forms[label] ?? '';
  return (
    <Alert role="status" mt="sm" title={t.account.shownOnce}>
      <Stack gap="xs" align="flex-start">
        {labels.length > 1 && (
          <Choice
            label={t.account.copyFor}
            options={Object.fromEntries(labels.map((each) => [each, each]))}
            value={label}
            onChange={setLabel}
          />
        )}
        <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t.account.copied : t.account.copy}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}
