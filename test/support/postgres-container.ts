import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { docker, PROJECT } from './containers.js';
import { eventually } from './eventually.js';

/** That of compose.yaml. */
function imageOfPostgres(): string {
  const { services } = parse(readFileSync(`${PROJECT}compose.yaml`, 'utf8')) as {
    services: { postgres: { image: string } };
  };
  return services.postgres.image;
}

const newSecret = (): string => randomBytes(32).toString('hex');

/**
 * A PostgreSQL server in a container of its own, for containers of the service on the same network.
 */
export class PostgresContainer {
  private readonly name = `expense-test-postgres-${process.pid}`;
  private isStarted = false;

  /** @returns the options of a container of the service that uses the server */
  async start(
    env: Record<string, string>,
  ): Promise<{ network: string; env: Record<string, string> }> {
    const { name } = this;
    this.isStarted = true;
    await docker(['network', 'create', name]);
    const [user, database, password] = ['expenses', 'expenses', newSecret()];
    await docker([
      ...['run', '--detach', '--name', name, '--network', name],
      ...['--env', `POSTGRES_USER=${user}`, '--env', `POSTGRES_DB=${database}`],
      ...['--env', `POSTGRES_PASSWORD=${password}`, imageOfPostgres()],
    ]);
    await eventually('PostgreSQL accepts connections', async () =>
      docker(['exec', name, 'pg_isready', '--host=127.0.0.1', `--username=${user}`]).then(
        () => true,
        () => false,
      ),
    );
    const url = `postgres://${user}:${password}@${name}:5432/${database}`;
    const secrets = { DATABASE_URL: url, AUTH_SECRET: newSecret() };
    return { network: name, env: { ...env, ...secrets } };
  }

  async stop(): Promise<void> {
    if (!this.isStarted) return;
    await docker(['rm', '--force', '--volumes', this.name]);
    await docker(['network', 'rm', this.name]);
  }
}
