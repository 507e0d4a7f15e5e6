import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, signUp } from '../support/client.js';
import { buildImage, docker, IMAGE, inContainer, processStatus } from '../support/containers.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { WriteLoad } from '../support/write-load.js';

const PROJECT_NAME = `expense-test-${process.pid}`;
const QUOTA = 40;
const SECRETS = { AUTH_SECRET: '0123456789abcdef'.repeat(4), POSTGRES_PASSWORD: 'b'.repeat(64) };

describe('compose.yaml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compose-test-'));
  let ports: [number, number];

  function compose(...args: string[]): Promise<string> {
    return docker(
      [
        ...['compose', '--project-name', PROJECT_NAME, '--file', 'compose.yaml'],
        ...['--file', join(folder, 'limits.yaml'), ...args],
      ],
      { ...SECRETS, PORT: ports.join('-') },
    );
  }

  const setRateLimits = (environment: Record<string, string>): void =>
    writeFileSync(
      join(folder, 'limits.yaml'),
      JSON.stringify({ services: { service: { environment } } }),
    );

  const up = (...options: string[]): Promise<string> =>
    compose('up', '--detach', '--wait', '--no-build', ...options);

  const containerOf = async (service: string): Promise<string> =>
    (await compose('ps', '--quiet', service)).split('\n')[0] ?? '';

  async function origins(): Promise<string[]> {
    const ids = (await compose('ps', '--quiet', 'service')).split('\n');
    return Promise.all(
      ids.map(async (id) => `http://${(await docker(['port', id, '3000'])).split('\n')[0] ?? ''}`),
    );
  }

  const origin = async (): Promise<string> => (await origins())[0] ?? '';

  beforeAll(async () => {
    do ports = [await freePort(), await freePort()];
    while (ports[1] !== ports[0] + 1);
    setRateLimits({ RATE_LIMIT_ENABLED: 'false' });
    await buildImage(IMAGE);
    await up();
  });

  afterAll(async () => {
    await compose('down', '--volumes', '--timeout', '30');
    rmSync(folder, { recursive: true });
  });

  it('compose.yaml restricts the service, and does not give it the password of PostgreSQL twice', async () => {
    const container = await containerOf('service');
    const status = await processStatus(container);
    expect(status.get('Uid')).toBe('1000\t1000\t1000\t1000');
    expect(status.get('CapBnd')).toBe('0000000000000000');
    expect(status.get('NoNewPrivs')).toBe('1');
    expect(status.get('Seccomp')).toBe('2');
    await expect(inContainer(container, 'echo > /app/x')).rejects.toThrow('Read-only file system');
    expect(await inContainer(container, 'echo "$POSTGRES_PASSWORD"')).toBe('');
    await (await signUp(await origin())).get('/export').expect(200);
    // Without access to or from other networks.
    const isInternal = ['network', 'inspect', '--format', '{{.Internal}}', `${PROJECT_NAME}_data`];
    expect(await docker(isInternal)).toBe('true');
  });

  it('compose.yaml answers 503 while PostgreSQL is killed, and has every acknowledged write after that', async () => {
    const load = new WriteLoad();
    await load.start(await origin());
    await load.waitForMore('acknowledged', 50);
    await compose('kill', 'postgres');
    await load.waitForMore('unavailable', 5);
    await up();
    await load.waitForMore('acknowledged', 50);
    await load.stop();
    await load.expectPersisted(await origin());
  });

  it('compose.yaml restores a backup of the server', async () => {
    const load = new WriteLoad();
    await load.start(await origin());
    await load.waitForMore('acknowledged', 50);
    await load.stop();
    const inPostgres = (script: string): Promise<string> =>
      compose('exec', '-T', 'postgres', 'sh', '-ec', script);
    await inPostgres('pg_dump -U expenses -Fc expenses > /tmp/expenses.dump');
    const later = await signUp(await origin());
    await compose('stop', 'service');
    await inPostgres(
      'dropdb -U expenses expenses && createdb -U expenses expenses && pg_restore -U expenses -d expenses /tmp/expenses.dump',
    );
    await up();
    await load.expectPersisted(await origin());
    await new Client(await origin(), later.email, later.token).get('/auth/me').expect(401);
  });

  it('compose.yaml counts the requests of two replicas together, on ports of a range', async () => {
    setRateLimits({ RATE_LIMIT_AUTHENTICATED_PER_HOUR: String(QUOTA) });
    await up('--scale', 'service=2');
    const replicas = await origins();
    expect(replicas.map((replica) => Number(new URL(replica).port)).sort()).toEqual(ports);
    await eventually('both replicas use Redis', async () => {
      const states = await Promise.all(
        replicas.map(async (replica) => (await fetch(`${replica}/health/ready`)).json()),
      );
      return states.every((state) => (state as { redis: string }).redis === 'up');
    });
    const user = await signUp(replicas[0] ?? '');
    const clients = replicas.map((replica) => new Client(replica, user.email, user.token));
    const statuses: number[] = [];
    for (let n = 0; n < 2 * QUOTA; n += 1) {
      const response = await clients[n % clients.length]?.get('/auth/me');
      statuses.push(response?.status ?? 0);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(QUOTA);
    expect(statuses.filter((status) => status === 429)).toHaveLength(QUOTA);
  });
});
