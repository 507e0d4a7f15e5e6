import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a module that imports the built library, and signals it when it has written a line. */
async function run(
  code: string,
  ...signals: NodeJS.Signals[]
): Promise<{ code: unknown; errors: string }> {
  const head = `import { onShutdown } from '#http-host/signals'; setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', head + code]);
  const errors = text(child.stderr);
  const exit = once(child, 'exit');
  for (const signal of signals) {
    await once(child.stdout, 'data');
    child.kill(signal);
  }
  return { code: (await exit)[0], errors: await errors };
}

const READY = `console.log('ready');`;

describe('a process that gets a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('does its work and ends: %s', async (signal) => {
    const work = `onShutdown(async (signal) => console.error('stopped by', signal));`;
    expect(await run(work + READY, signal)).toEqual({ code: 0, errors: `stopped by ${signal}\n` });
  });

  it('ends while it is still loading', async () => {
    expect(await run(READY, 'SIGTERM')).toEqual({ code: 0, errors: '' });
  });

  it('ends with 1 when its work fails', async () => {
    const { code, errors } = await run(
      `onShutdown(() => Promise.reject(new Error('no disk')));${READY}`,
      'SIGTERM',
    );
    expect(code).toBe(1);
    expect(errors).toContain('Error: no disk');
  });

  it('ends at once at the second signal', async () => {
    const work = `onShutdown(() => new Promise(() => console.log('stopping')));`;
    expect(await run(work + READY, 'SIGTERM', 'SIGINT')).toEqual({ code: 1, errors: '' });
  });
});
