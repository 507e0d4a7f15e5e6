import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { startPostgres, type PostgresServer } from '../support/servers.js';

const SHORT = '--only me --users 20 --rounds 1 --seconds 1 --connections 1 --output /dev/null';

describe('the benchmark', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres();
  });

  afterAll(() => postgres.remove());

  it('the baseline of the benchmark responds and writes like the service', () => {
    const { status, stdout, stderr } = spawnSync('node', ['bench/main.js', ...SHORT.split(' ')], {
      env: { ...process.env, DATABASE_URL: postgres.url() },
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.slice(0, 2000) }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Checking the data');
  }, 300_000);
});
