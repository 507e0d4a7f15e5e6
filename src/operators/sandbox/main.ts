/**
 * The sandbox for front-end teams: the service on an in-memory database that has a demo household
 * in it, without rate limits, open to scripts of every origin on localhost.
 */
import { onShutdown } from '#http-host/signals';
import { configureApplication, createApplication } from '../../application.js';
import { IN_MEMORY_DATA_DIR, loadSettings, type Settings } from '../../platform/config/settings.js';
import { OperatorError } from '../../platform/errors/domain-error.js';
import { API_PREFIX, DOCS_PATH } from '../../platform/openapi/openapi.js';
import { originOf, serve, stopMessage } from '../../platform/process/serve.js';
import { exitWithError } from '../../platform/process/start.js';
import { createSampleHousehold } from '../demo/sample-household.js';

/** Public, because the data is neither secret nor stored. */
const ACCOUNT = { email: 'ana@example.com', password: 'sandbox-password' };

/** Of the example front end. */
const EXAMPLE_RESET_PAGE = 'http://localhost:5173/reset-password#{token}';

const LOCAL_ORIGIN = /^https?:\/\/(([a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** @throws OperatorError for settings of a service with data that is kept */
function sandboxSettings({ env }: NodeJS.Process): Settings {
  if (env.DATABASE_URL) throw new OperatorError('The sandbox does not run with DATABASE_URL');
  if (env.NODE_ENV === 'production') {
    throw new OperatorError('The sandbox does not run with NODE_ENV=production');
  }
  const { PORT, HOST = '127.0.0.1', CYCLE_MAX_DAYS, LOG_LEVEL = 'warn', PASSWORD_RESET_URL } = env;
  const settings = loadSettings({
    ...{ PORT, HOST, CYCLE_MAX_DAYS, LOG_LEVEL, PASSWORD_RESET_URL },
    DATA_DIR: IN_MEMORY_DATA_DIR,
    RATE_LIMIT_ENABLED: 'false',
  });
  return {
    ...settings,
    corsOrigins: [LOCAL_ORIGIN],
    mail: { kind: 'print', print: console.log },
    passwordResetUrl: settings.passwordResetUrl ?? EXAMPLE_RESET_PAGE,
  };
}

async function main(): Promise<void> {
  const settings = sandboxSettings(process);
  console.log('Starting the sandbox with an in-memory database ...');
  let token = '';
  const { port, stop } = await serve(settings, async () => {
    const app = await createApplication(settings);
    await configureApplication(app, settings);
    token = await createSampleHousehold(app, ACCOUNT);
    await app.listen(settings.port, settings.host);
    return app;
  });
  onShutdown((signal) => {
    console.log(stopMessage(signal));
    return stop();
  });
  const origin = originOf(settings, port);
  console.log(
    [
      '',
      `API       ${origin}/${API_PREFIX}`,
      `Docs      ${origin}/${DOCS_PATH}`,
      `E-mail    ${ACCOUNT.email}`,
      `Password  ${ACCOUNT.password}`,
      `Token     ${token}`,
      '',
      'To try: `GET /forecast` falls below zero in its third pay window; `by_budget` of',
      '`GET /cycles/{cycle_id}/summary` has a budget over its limit in the active cycle;',
      '`GET /activity` with the `cycle_id` of the draft begins with a carry-over, which',
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

await main().catch(exitWithError);
