import { useState } from 'react';
import { Alert, Button, Code, CopyButton, Drawer, Group } from '@mantine/core';
import type { Query } from 'expense-service-client';
import { useQuery } from '../api';
import { Card, Loaded } from '../components/Page';
import { useLocale } from '../locale';
import { useWrite, type Write } from '../write';
import { FieldsForm, type Field } from './FieldsForm';

interface Row {
  name: string;
  detail: string;
  /** The button that ends or restores the record. */
  end?: Omit<Write, 'name'> & { label: string };
}

interface RecordListProps<Item, Name extends string> {
  title: string;
  text: string;
  query: Query<Item[]>;
  row: (item: Item) => Row;
  /** Of a new record, and of one that is edited. */
  fields?: (item?: Item) => Record<Name, Field>;
  /** The promise has a secret that is shown once, if there is one. */
  save?: (values: Record<Name, string>, item?: Item) => Promise<string | undefined>;
  /** Whether records cannot be edited. */
  isFixed?: boolean;
}

/** Records of the account, which are added, edited and ended in place. */
export function RecordList<Item extends { id: string }, Name extends string>({
  title,
  text,
  query,
  row,
  fields,
  save,
  isFixed = false,
}: RecordListProps<Item, Name>) {
  const { t } = useLocale();
  const { write } = useWrite();
  const state = useQuery(query);
  const [edited, setEdited] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const item = state.data?.find(({ id }) => id === edited);
  const close = () => setEdited(undefined);
  const button = (label: string, name: string, onClick: () => void) => (
    <Button variant="subtle" size="xs" aria-label={`${label}: ${name}`} onClick={onClick}>
      {label}
    </Button>
  );
  const add = (
    <Button
      variant="default"
      aria-label={`${t.nav.add}: ${title}`}
      onClick={() => setEdited('new')}
    >
      {t.nav.add}
    </Button>
  );

  return (
    <Loaded state={state} height={160}>
      {(items) => (
        <Card title={title} end={fields && add}>
          <p className="muted">{text}</p>
          {secret && <Secret secret={secret} />}
          <ul>
            {items
              .map((each) => ({ id: each.id, ...row(each) }))
              .map(({ id, name, detail, end }) => (
                <Group key={id} component="li" gap="xs" pt="md" wrap="nowrap">
                  <div style={{ flex: 1, overflowWrap: 'anywhere' }}>
                    {name}
                    <div className="detail muted">{detail}</div>
                  </div>
                  {fields && !isFixed && button(t.do.edit, name, () => setEdited(id))}
                  {end && button(end.label, name, () => void write({ name, ...end }))}
                </Group>
              ))}
          </ul>
          <Drawer
            {...{ title, position: 'right', opened: edited !== undefined, onClose: close }}
            closeButtonProps={{ 'aria-label': t.do.close }}
          >
            {fields && save && (
              <FieldsForm
                fields={fields(item)}
                send={(values) => save(values, item).then(setSecret).then(close)}
                label={t.do.save}
                onCancel={close}
              />
            )}
          </Drawer>
        </Card>
      )}
    </Loaded>
  );
}

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
