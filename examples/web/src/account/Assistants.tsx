/** Access tokens, and what an assistant needs besides. */
import { Badge, Button, CopyButton, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from 'expense-service-client';
import { MCP_URL, queries } from '../api';
import { Form } from '../components/Form';
import { optionsOf, useRules } from '../components/inputs';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { useDayOf } from './Sessions';

export function Assistants() {
  const { t } = useLocale();
  const texts = t.settings.assistants;
  const dayText = useDayOf();
  return (
    <RecordList
      title={texts.title}
      addLabel={texts.newToken}
      text={texts.text}
      above={<Address />}
      query={queries.query('/auth/tokens')}
      isFixed
      row={({ id, name, access, ...times }) => {
        const { created_at: from, expires_at: to, last_used_at: used } = times;
        const last = used ? t.account.used(dayText(used)) : t.account.unused;
        const send = () =>
          queries.send('DELETE', '/auth/tokens/{id}', { params: { path: { id } } });
        return {
          name,
          detail: [texts.created(dayText(from), dayText(to)), last].join(' · '),
          mark: (
            <Badge color={access === 'write' ? 'accent' : 'gray'}>{texts.accesses[access]}</Badge>
          ),
          actions: [{ label: t.account.revoke, done: t.account.ended(name), send }],
        };
      }}
      form={(_, close) => <TokenForm onDone={close} />}
      secretForms={(token) => ({
        'Claude Code': `claude mcp add --transport http expenses ${MCP_URL} --header "Authorization: Bearer ${token}"`,
        [texts.others]: JSON.stringify(configuration(token), null, 2),
        [texts.script]: token,
      })}
    />
  );
}

function TokenForm({ onDone }: { onDone: (token: string) => void }) {
  const { t } = useLocale();
  const texts = t.settings.assistants;
  const { required } = useRules();
  const form = useForm({
    initialValues: { name: '', access: 'read' as Schemas['TokenAccess'], days: '90' },
    validate: { name: required },
  });
  const input = form.getInputProps;

  async function create({ days, ...token }: typeof form.values): Promise<void> {
    const body = { ...token, expires_in_days: Number(days) };
    onDone((await queries.send('POST', '/auth/tokens', { body })).data.token);
  }

  return (
    <Form form={form} send={create} label={t.do.save}>
      <TextInput label={t.fields.name} description={texts.tokenName} {...input('name')} />
      <Select
        label={texts.access}
        description={texts.accessText}
        data={optionsOf(texts.accesses)}
        {...input('access')}
      />
      <Select label={texts.expiry} data={optionsOf(texts.expiries)} {...input('days')} />
    </Form>
  );
}

/** As the files of most assistants have it. */
const configuration = (token: string) => ({
  mcpServers: {
    expenses: { type: 'http', url: MCP_URL, headers: { Authorization: `Bearer ${token}` } },
  },
});

function Address() {
  const { t } = useLocale();
  return (
    <TextInput
      readOnly
      mt="md"
      label={t.settings.assistants.address}
      value={MCP_URL}
      rightSectionWidth={96}
      rightSection={
        <CopyButton value={MCP_URL}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="compact-sm" onClick={copy}>
              {copied ? t.account.copied : t.account.copy}
            </Button>
          )}
        </CopyButton>
      }
    />
  );
}
