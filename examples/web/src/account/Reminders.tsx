/** The mails about what is due. */
import { useEffect, useState } from 'react';
import { Badge, Button, Group, Select, SimpleGrid, Switch } from '@mantine/core';
import type { Schemas } from 'expense-service-client';
import { queries } from '../api';
import { Card } from '../components/Page';
import { useLocale } from '../locale';
import { useWrite } from '../write';

type Change = NonNullable<Schemas['UpdateProfileDto']['reminders']>;

/** Each change is stored at once. */
export function Reminders({ user }: { user: Schemas['UserResponse'] }) {
  const { t, locale } = useLocale();
  const texts = t.settings.reminders;
  const { write, isSaving } = useWrite();
  const [shown, setShown] = useState(user.reminders);
  useEffect(() => setShown(user.reminders), [user.reminders]);
  const { enabled, hour, days_before: days, confirmed } = shown;
  const isWaiting = enabled && !confirmed;

  async function change(reminders: Change, done = t.done.saved(texts.title)): Promise<void> {
    setShown({ ...shown, ...reminders });
    const send = () => queries.send('PUT', '/auth/me', { body: { reminders } });
    if (!(await write({ name: texts.change, done, send }))) setShown(user.reminders);
  }

  const hourText = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const hours = numbers(24, (n) => hourText.format(n * 3_600_000));
  return (
    <Card
      title={texts.title}
      end={
        enabled && (
          <Badge color={isWaiting ? 'gray' : 'accent'}>{texts[isWaiting ? 'waiting' : 'on']}</Badge>
        )
      }
    >
      <Switch
        label={texts.enabled}
        description={texts.enabledText}
        checked={enabled}
        onChange={({ currentTarget: { checked } }) => void change({ enabled: checked })}
      />
      {enabled && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="md">
          <Select
            label={texts.hour}
            data={hours}
            description={texts.hourText(user.time_zone.replaceAll('_', ' '))}
            value={`${hour}`}
            onChange={(value) => void change({ hour: Number(value) })}
          />
          <Select
            label={texts.before}
            description={texts.beforeText}
            data={numbers(15, texts.days)}
            value={`${days}`}
            onChange={(value) => void change({ days_before: Number(value) })}
          />
        </SimpleGrid>
      )}
      {isWaiting && (
        <Group className="effect" justify="space-between" gap="xs">
          <span role="status" style={{ flex: '1 1 260px', overflowWrap: 'anywhere' }}>
            {texts.sentTo} <b>{user.email}</b>. {texts.sentText}
          </span>
          <Button
            variant="default"
            size="xs"
            disabled={isSaving}
            onClick={() => void change({ enabled: true }, texts.sent)}
          >
            {texts.sendAgain}
          </Button>
        </Group>
      )}
      <p className="detail muted">{texts.example}</p>
    </Card>
  );
}

const numbers = (count: number, label: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ({ value: `${n}`, label: label(n) }));
