/**
 * The sandbox for front-end teams: the service on an in-memory database that has a household in it,
 * without rate limits, open to scripts of every origin on localhost.
 */
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { onShutdown } from '#http-host/signals';
import { configureApplication, createApplication } from '../../application.js';
import { CreatePersonalAccessTokenDto } from '../../auth/dto/personal-access-token.dto.js';
import { PersonalAccessTokensService } from '../../auth/personal-access-tokens.service.js';
import { IN_MEMORY_DATA_DIR, loadSettings, type Settings } from '../../platform/config/settings.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import { OperatorError } from '../../platform/errors/domain-error.js';
import { assertTemporaryFiles } from '../../platform/files/temporary-file.js';
import { API_PREFIX, DOCS_PATH } from '../../platform/openapi/openapi.js';
import { assertPortsAreFree } from '../../platform/process/ports.js';
import { originOf, portOf } from '../../platform/process/serve.js';
import { shutDown, stopMessage } from '../../platform/process/shutdown.js';
import { exitWithError } from '../../platform/process/start.js';
import { isCalendarDate, type CalendarDate } from '../../platform/values/calendar-date.js';
import { LANGUAGES, readHouseholdData, type Language } from '../sample-household/household-data.js';
import { SampleHousehold } from '../sample-household/sample-household.js';
import { SandboxDay } from './sandbox-day.js';
import { SandboxDocumentService } from './sandbox-document.service.js';
import { SANDBOX_PATHS, SandboxModule } from './sandbox.module.js';
import { SandboxService } from './sandbox.service.js';

/** Public, because the data is neither secret nor stored. */
const ACCOUNT = { email: 'ana@example.com', password: 'sandbox-password' };

const TOKEN = { name: 'Sandbox', access: 'write', expires_in_days: 365 };

/** Pages of the example front end. */
const EXAMPLE_PAGES = {
  passwordResetUrl: 'http://localhost:5173/reset-password#{token}',
  remindersUrl: 'http://localhost:5173/reminders/confirm#{token}',
};

const LOCAL_ORIGIN = /^https?:\/\/(([a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The cycles of the household and what follows must be dates, too. */
const [MIN_DAY, MAX_DAY] = ['2000-01-01', '2100-12-31'];

interface SandboxOptions {
  today?: CalendarDate;
  language: Language;
}

/** @throws CommanderError, when the error or the help is printed */
function readOptions(): SandboxOptions {
  return new Command('sandbox')
    .description('The service with a sample household in memory, for front-end teams')
    .option('--today <day>', 'the day of all users, instead of that of the clock', toDay)
    .addOption(
      new Option('--language <code>', 'of the names in the household')
        .choices(LANGUAGES)
        .default('en'),
    )
    .showSuggestionAfterError(false)
    .exitOverride()
    .parse()
    .opts();
}

function toDay(text: string): CalendarDate {
  if (!isCalendarDate(text) || text < MIN_DAY || text > MAX_DAY) {
    throw new InvalidArgumentError(`It must be a day from ${MIN_DAY} to ${MAX_DAY}.`);
  }
  return text;
}

/** @throws OperatorError for settings of a service with data that is kept */
function sandboxSettings({ env }: NodeJS.Process, day: SandboxDay): Settings {
  if (env.DATABASE_URL) throw new OperatorError('The sandbox does not run with DATABASE_URL');
  if (env.NODE_ENV === 'production') {
    throw new OperatorError('The sandbox does not run with NODE_ENV=production');
  }
  const { PORT, HOST = '127.0.0.1', CYCLE_MAX_DAYS, LOG_LEVEL = 'warn' } = env;
  const { PASSWORD_RESET_URL, REMINDERS_URL } = env;
  const settings = loadSettings({
    ...{ PORT, HOST, CYCLE_MAX_DAYS, LOG_LEVEL, PASSWORD_RESET_URL, REMINDERS_URL },
    DATA_DIR: IN_MEMORY_DATA_DIR,
    RATE_LIMIT_ENABLED: 'false',
  });
  return {
    ...settings,
    corsOrigins: [LOCAL_ORIGIN],
    todayIn: day.todayIn,
    mail: { kind: 'print', print: console.log },
    passwordResetUrl: settings.passwordResetUrl ?? EXAMPLE_PAGES.passwordResetUrl,
    remindersUrl: settings.remindersUrl ?? EXAMPLE_PAGES.remindersUrl,
  };
}

/** @returns a personal access token of its user */
async function createHousehold(app: NestExpressApplication, language: Language): Promise<string> {
  const household = app.get(SampleHousehold, { strict: false });
  const { user } = await household.create(ACCOUNT, readHouseholdData(language));
  const dto = await validateBody(CreatePersonalAccessTokenDto, TOKEN);
  const tokens = app.get(PersonalAccessTokensService, { strict: false });
  const { token } = await tokens.create(user, dto);
  await app.get(SandboxDocumentService, { strict: false }).prepare(user);
  await app.get(SandboxService, { strict: false }).copyData();
  return token;
}

async function main(): Promise<void> {
  const { today = null, language } = readOptions();
  const day = new SandboxDay(today);
  const settings = sandboxSettings(process, day);
  console.log('Starting the sandbox with an in-memory database ...');
  await assertPortsAreFree(settings);
  await assertTemporaryFiles();
  const app = await createApplication(settings, SandboxModule.register(day));
  const document = app.get(SandboxDocumentService, { strict: false });
  await configureApplication(app, settings, {
    rootPaths: SANDBOX_PATHS,
    completeDocument: (served) => document.complete(served),
  });
  const token = await createHousehold(app, language);
  await app.listen(settings.port, settings.host);
  onShutdown((signal) => {
    console.log(stopMessage(signal));
    return shutDown(app, settings);
  });
  const origin = originOf(settings, portOf(app));
  console.log(
    [
      '',
      `API       ${origin}/${API_PREFIX}`,
      `Docs      ${origin}/${DOCS_PATH}`,
      `E-mail    ${ACCOUNT.email}`,
      `Password  ${ACCOUNT.password}`,
      `Token     ${token}`,
      '',
      'The token can write and is valid for a year. Some operations refuse such tokens, among them those of',
      'sessions, passwords and members of the household: they need a sign-in.',
      '',
      '`POST /sandbox/reset`, outside /api/v1 and without a token, puts everything back as it is now;',
      '`POST /sandbox/today` with `{"today": "2026-12-11"}` moves the day of all users.',
      '',
      'To try: `GET /forecast?minimum_balance=200.00` has what is `free` until each pay day, and two overdue',
      'expenses; `GET /payment-methods/{id}/statements` of the credit card what it takes; `by_budget` of',
      '`GET /cycles/{cycle_id}/summary` a budget in pesos over its limit, in spite of a refund, in the',
      'active cycle; `GET /activity` with the `cycle_id` of the draft begins with a carry-over, which',
      '`POST /activity/operations/{operation_id}/undo` takes back. `POST /account/password-reset` prints the',
      'mail with the link here.',
      '',
      'An example front end for it, in another terminal:',
      `  VITE_API_URL=${origin} npm run example:web`,
      '',
      'The data is lost when the sandbox stops.',
    ].join('\n'),
  );
}

await main().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  exitWithError(error);
});
