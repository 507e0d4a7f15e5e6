import { beforeEach, expect } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, signUp, type Client } from './client.js';
import { tokenIn, type MailServer, type ReceivedMail } from './mail-server.js';
import { useProcesses, type ServiceProcess } from './service-process.js';

/** A Wednesday, after the time of this machine and of the database. */
export const TODAY = '2050-03-02';

/** Of the cycle of {@link createPlan}. */
const PERIOD = { start_date: '2050-02-14', end_date: '2050-03-30' };

const PRELOADS = ['shifted-clock', 'short-looks'].map(
  (name) => `--import ${new URL(`./${name}.js`, import.meta.url).href}`,
);

/** Where mails say that the service is. */
export const PUBLIC_URL = 'https://gastos.example.com/api';

export interface ReminderProcesses {
  /** Sets the time of all processes, now or in the next one. */
  setTime: (time: string) => void;
  /** Starts a process that sends its mails to a server. */
  startWith: (
    server: Pick<MailServer, 'port'>,
    env?: Record<string, string>,
  ) => Promise<ServiceProcess>;
}

/**
 * Processes on one database that send reminders, for which they look every 3 s. Each test begins at noon in UTC on {@link TODAY}.
 */
export function useReminderProcesses(
  url: () => string,
  lifetime?: 'test' | 'file',
): ReminderProcesses {
  const settings = (): Record<string, string> => ({
    DATABASE_URL: url(),
    AUTH_SECRET: 'the same for all, 32 characters or more',
    METRICS_PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    MAIL_FROM: 'gastos@example.com',
    PASSWORD_RESET_URL: 'https://app.example.com/reset-password#{token}',
    REMINDERS_URL: 'https://app.example.com/reminders/confirm#{token}',
    PUBLIC_URL,
    CLOCK_OFFSET: clock(),
    NODE_OPTIONS: PRELOADS.join(' '),
  });
  const processes = useProcesses(settings, lifetime);
  const clock = (): string => join(processes.folder, 'clock');
  const setTime = (time: string): void =>
    writeFileSync(clock(), String(Date.parse(time) - Date.now()));
  beforeEach(() => setTime(`${TODAY}T12:00:00Z`));
  return {
    setTime,
    startWith: ({ port }, env = {}) =>
      processes.start({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...env }),
  };
}

/** Registers a user with a plan, of which something is due in two days. */
export async function signUpWithPlan(
  { origin }: ServiceProcess,
  profile: Record<string, unknown> = {},
): Promise<Client> {
  const user = await signUp(origin, profile);
  await createPlan(user);
  return user;
}

/** Creates 500.00 USD, and what is overdue, due in two days and later, before the pay day. */
async function createPlan(user: Client): Promise<void> {
  const { id: payment_method_id } = await user.createPaymentMethod({ name: 'Debit' });
  await user.createBalance({ payment_method_id, amount: '500.00' });
  const cycle = await user.createCycle({
    ...{ ...PERIOD, income_amount: '0.00', generate_from_templates: false },
  });
  const expenses = [
    { description: 'Water', amount: '385.00', currency: 'MXN', due_date: '2050-02-25' },
    { description: 'Rent', amount: '100.00', due_date: '2050-03-04' },
    { description: 'School', amount: '50.00', due_date: '2050-03-16' },
  ];
  for (const expense of expenses) {
    await user.createExpense(cycle.id, { payment_method_id, ...expense });
  }
  const pay = { description: 'Pay', amount: '900.00', income_date: '2050-03-11' };
  await user.createIncome(cycle.id, { payment_method_id, ...pay });
}

/** Turns reminders on, and confirms them by the link in the mail. */
export async function turnOn(
  user: Client,
  server: { mailsTo: (address: string) => Promise<Pick<ReceivedMail, 'text'>[]> },
  reminders: { hour?: number; days_before?: number } = {},
): Promise<void> {
  await user.put('/auth/me', { reminders: { enabled: true, hour: 0, ...reminders } }).expect(200);
  const [mail] = await server.mailsTo(user.email);
  if (!mail) throw new Error('There is no mail');
  await user.post('/account/reminders/confirm', { token: tokenIn(mail) }).expect(204);
}

/** What the user has chosen, in a new session: a test may have set the clock. */
export async function remindersOf({ origin }: ServiceProcess, email: string): Promise<object> {
  const user = await signIn(origin, email);
  const { reminders } = await user.read<{ reminders: object }>('/auth/me');
  return reminders;
}

/** Where a mail application turns the reminders of a mail off, at a process. */
export function unsubscribeAddress({ origin }: ServiceProcess, { headers }: ReceivedMail): string {
  const [, address = ''] = /^<(\S+)>$/.exec(headers['list-unsubscribe'] ?? '') ?? [];
  expect(address).toMatch(new RegExp(`^${PUBLIC_URL}/account/reminders/unsubscribe\\?token=`));
  return origin + address.slice(PUBLIC_URL.length);
}
