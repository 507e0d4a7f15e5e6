/** PostgreSQL's own programs, connected as the service is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import {
  defaultAuthorities,
  environmentWithoutConnection,
} from '../../platform/config/postgres-programs.js';
import { SERVICE_NAME } from '../../platform/config/project-files.js';
import type { ServerSettings } from '../../platform/config/settings.js';
import { clientConfig } from '../../platform/database/data-source.js';
import { OperatorError } from '../../platform/errors/domain-error.js';

type Program = 'pg_dump' | 'pg_restore';

/** The program is missing, or ended with a failure that it has reported to stderr. */
export class ServerProgramError extends OperatorError {}

/**
 * Runs a program in an environment with the connection of the settings: arguments are in the list
 * of processes, where everybody could read a password.
 *
 * @param output a file descriptor for its standard output
 * @throws ServerProgramError
 */
export async function runServerProgram(
  program: Program,
  args: readonly string[],
  settings: ServerSettings,
  output: number | 'ignore',
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `${SERVICE_NAME}-`));
  try {
    const child = spawn(program, ['--no-password', ...args], {
      env: { ...environmentWithoutConnection(), ...(await connectionIn(settings, folder)) },
      stdio: ['ignore', output, 'inherit'],
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new ServerProgramError(`${program} ended with ${signal ?? code}`);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || syscall !== `spawn ${program}`) throw error;
    throw new ServerProgramError(
      `${program} is not there: install the client programs of PostgreSQL (Debian: postgresql-client)`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface WithParameters {
  connectionParameters: { options?: string };
}

/** @param folder for certificates, which these programs read from files alone */
async function connectionIn(settings: ServerSettings, folder: string): Promise<NodeJS.ProcessEnv> {
  const client = new pg.Client(clientConfig(settings)) as pg.Client & WithParameters;
  const { host, port, user, password, database, ssl } = client;
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password ?? undefined,
    PGDATABASE: database,
    PGOPTIONS: client.connectionParameters.options,
    PGAPPNAME: settings.applicationName,
    ...(await encryptionIn(ssl, folder)),
  };
}

async function encryptionIn(
  ssl: boolean | ConnectionOptions,
  folder: string,
): Promise<NodeJS.ProcessEnv> {
  if (ssl === false) return { PGSSLMODE: 'disable' };
  const options = ssl === true ? {} : ssl;
  const store = async (name: string, content: unknown): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, String(content), { mode: 0o600 });
    return file;
  };
  return {
    ...(options.rejectUnauthorized === false
      ? { PGSSLMODE: 'require' }
      : {
          PGSSLMODE: options.checkServerIdentity ? 'verify-ca' : 'verify-full',
          PGSSLROOTCERT: await store('authorities', options.ca ?? defaultAuthorities()),
        }),
    ...(options.cert && { PGSSLCERT: await store('certificate', options.cert) }),
    ...(options.key && { PGSSLKEY: await store('key', options.key) }),
  };
}
