import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { lockFolder } from '#embedded-postgres';
import { useCheckouts } from '../support/checkout.js';
import { freePort } from '../support/ports.js';

/** What the build prints at the beginning of the output. */
const BUILD =
  /^Building \(10 to 30 seconds\) \.\.\.\n(Still at work after \d+ s\n)*Done in \d+ s\n/;

describe('npm start without a build', () => {
  const checkouts = useCheckouts();

  it('npm start without a build names a port that is in use before it builds', async () => {
    const checkout = checkouts();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { HOST: '127.0.0.1', PORT: String(port) };
    const result = await checkout.run('npm', ['--silent', 'start'], env);
    server.close();
    expect(result).toEqual({
      code: 1,
      output: `Port ${port} is in use; set PORT to another one\n`,
    });
    expect(existsSync(checkout.path('dist'))).toBe(false);
  });

  it('npm start without a build names a data folder that is in use, after the build', async () => {
    const checkout = checkouts();
    const dataDir = checkout.path('data');
    mkdirSync(dataDir);
    const unlock = lockFolder(dataDir);
    checkout.write('.env', `HOST=127.0.0.1\nPORT=${await freePort()}\n`);
    const result = await checkout.run('npm', ['--silent', 'start']);
    unlock();
    expect(result.code).toBe(1);
    expect(result.output.replace(BUILD, '')).toBe(
      `The data folder ${dataDir} is in use by another process; stop that one first\n`,
    );
  }, 240_000);

  it('npm start without a build lets the service report invalid settings', async () => {
    const env = { PORT: 'eighty' };
    const { code, output } = await checkouts().run('npm', ['--silent', 'start'], env);
    expect(code).toBe(1);
    expect(output.replace(BUILD, '')).toMatch(/^The settings are not valid:\n.*PORT/);
  }, 240_000);
});
