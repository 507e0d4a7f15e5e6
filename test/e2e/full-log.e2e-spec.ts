import { describe, expect, it } from '@jest/globals';
import { closeSync, openSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/ports.js';
import { useProcesses } from '../support/service-process.js';

/** Every write to it fails as on a full disk (Linux). */
const FULL = '/dev/full';

describe('a service whose log cannot be written', () => {
  const processes = useProcesses();

  it('a service whose log cannot be written serves requests', async () => {
    const port = await freePort();
    const log = openSync(FULL, 'w');
    const service = processes.run({ PORT: String(port), LOG_FORMAT: 'json' }, log);
    closeSync(log);
    await eventually('it is ready', () => isReady(port));
    const statuses: number[] = [];
    for (let request = 0; request < 10; request++) {
      statuses.push((await fetch(`http://127.0.0.1:${port}/api/v1/auth/me`)).status);
    }
    expect(statuses).toEqual(statuses.map(() => 401));
    expect(await service.stop()).toBe(0);
    expect(service.stderr).toBe('');
  }, 120_000);
});

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    return false;
  }
}
