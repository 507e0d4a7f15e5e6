import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES } from './environment.js';
import { misspeltSettings } from './misspelt-settings.js';

/**
 * Variables of shells, desktops, npm, CI services, containers and the links of Kubernetes to other
 * services.
 */
const OTHERS =
  `_ COLUMNS DISPLAY EDITOR HOME HOSTNAME LANG LANGUAGE LC_ALL LINES LOGNAME LS_COLORS MAIL OLDPWD
  PATH PWD SHELL SHLVL TERM TERM_PROGRAM TMPDIR TZ USER USERNAME HOSTTYPE MACHTYPE OSTYPE POST PORTS HOSTS PROXY
  DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION SESSION_MANAGER XAUTHORITY XDG_CONFIG_DIRS XDG_DATA_DIRS
  XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_TYPE WAYLAND_DISPLAY SSH_AUTH_SOCK SSH_CONNECTION GPG_AGENT_INFO
  INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID CREDENTIALS_DIRECTORY STATE_DIRECTORY
  LOGS_DIRECTORY CACHE_DIRECTORY http_proxy https_proxy no_proxy HTTP_PROXY NO_PROXY ALL_PROXY
  NODE NODE_OPTIONS NODE_PATH NODE_VERSION NODE_DEBUG NODE_EXTRA_CA_CERTS YARN_VERSION NVM_DIR NVM_BIN
  npm_command npm_config_cache npm_config_loglevel npm_config_user_agent npm_execpath npm_lifecycle_event
  npm_node_execpath npm_package_json npm_package_name npm_package_version INIT_CWD COLOR FORCE_COLOR NO_COLOR
  DEBUG CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_ENV RUNNER_OS CI_JOB_TOKEN BUILD_NUMBER JENKINS_URL SENTRY_DSN
  AWS_REGION AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS OTEL_SERVICE_NAME DYNO K_SERVICE WEB_MEMORY
  POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD PGDATA REVISION
  KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR
  REDIS_HOST REDIS_PORT REDIS_SERVICE_HOST REDIS_PORT_6379_TCP_PROTO DATABASE_PORT DATABASE_SERVICE_PORT
  POSTGRES_SERVICE_HOST COMPOSE_PROJECT_NAME DOCKER_HOST container JWT_SECRET SECRET_KEY LOG_FILE LOG_DIR
  CORS_METHODS RATE_LIMIT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_HOST`.split(/\s+/);

const named = (name: string): string[] => misspeltSettings({ [name]: 'x' });

describe('misspeltSettings', () => {
  it.each([
    ['RATE_LIMIT_ENABLE', 'RATE_LIMIT_ENABLED'],
    ['RATE_LIMITS_ENABLED', 'RATE_LIMIT_ENABLED'],
    ['rateLimitEnabled', 'RATE_LIMIT_ENABLED'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['DATABASE_POOLSIZE', 'DATABASE_POOL_SIZE'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['TRUST_PROXYS', 'TRUST_PROXY'],
    ['AUTH_SECERT', 'AUTH_SECRET'],
    ['RATE_LIMIT_AUTH_PER_ADRESS_PER_MINUTE', 'RATE_LIMIT_AUTH_PER_ADDRESS_PER_MINUTE'],
    ['port', 'PORT'],
    ['PORTT', 'PORT'],
    ['PRT', 'PORT'],
    ['PORR', 'PORT'],
    ['HOSST', 'HOST'],
    ['Host', 'HOST'],
  ])('misspeltSettings takes %s for %s', (name, setting) => {
    expect(named(name)).toEqual([
      `${name} is not a setting and has no effect; did you mean ${setting}?`,
    ]);
  });

  it('misspeltSettings takes no setting for another', () => {
    const env = Object.fromEntries(SETTING_NAMES.map((name) => [name, 'x']));
    expect(misspeltSettings(env)).toEqual([]);
  });

  it('misspeltSettings does not report other variables of an environment', () => {
    expect(OTHERS.flatMap(named)).toEqual([]);
  });

  it('misspeltSettings does not report an empty variable, which counts as not set', () => {
    expect(misspeltSettings({ DATABSE_URL: '' })).toEqual([]);
  });

  it('misspeltSettings shows no value, which may be a secret', () => {
    expect(misspeltSettings({ AUTH_SECRETS: 'hush' }).join()).not.toContain('hush');
  });
});
