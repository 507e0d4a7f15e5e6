/** Access tokens, and what an assistant needs besides. */
import { Badge, Button, CopyButton, TextInput } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { MCP_URL, queries } from '../api';
import { RecordForm } from '../components/RecordForm';
import { RecordList } from '../components/RecordList';
import { useLocale } from '../locale';
import { useDayOf } from './access';

interface Token {
  name: string;
  access: Schemas['TokenAccess'];
  /** An integer as text. */
  expires_in_days: string;
}

export function Assistants() {
  const { t } = useLocale();
  const texts = t.settings.assistants;
  const dayText = useDayOf();
  return (
    <RecordList
      title={texts.title}
      addLabel={texts.newToken}
      text={texts.text}
      none={texts.none}
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
      form={(_, close) => (
        <RecordForm<Token>
          fields={{
            name: { label: t.fields.name, description: texts.tokenName },
            access: {
              ...{ label: texts.access, description: texts.accessText },
              ...{ value: 'read', options: texts.accesses },
            },
            expires_in_days: { label: texts.expiry, value: '90', options: texts.expiries },
          }}
          send={async ({ expires_in_days: days, ...token }) => {
            const body = { ...token, expires_in_days: Number(days) };
            close((await queries.send('POST', '/auth/tokens', { body })).data.token);
          }}
          label={t.do.save}
        />
      )}
      secretForms={(token) => ({
        'Claude Code': `claude mcp add --transport http expenses ${MCP_URL} --header "Authorization: Bearer ${token}"`,
        [texts.others]: JSON.stringify(configuration(token), null, 2),
        [texts.script]: token,
      })}
    >
      <p className="muted" style={{ paddingTop: 16 }}>
        {texts.accessText}
      </p>
    </RecordList>
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
      {...{ label: t.settings.assistants.address, value: MCP_URL, readOnly: true, mt: 'md' }}
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
