import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Assistant } from '../../support/assistant.js';
import { eventually } from '../../support/eventually.js';
import { useService } from '../../support/service.js';

const CALLS = 1000;

const service = useService();

it('a thousand calls leave no connection, and nothing that refers to one', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const connections: WeakRef<object>[] = [];
  const remember = (connection: { remotePort?: number }): void => {
    if (connection.remotePort === undefined) connections.push(new WeakRef(connection));
  };
  service.server.on('connection', remember);
  const assistant = await Assistant.connect(service, await (await service.signUp()).script());
  for (let n = 0; n < CALLS; n += 10) {
    await Promise.all(Array.from({ length: 10 }, () => assistant.read('list_cycles')));
  }
  service.server.off('connection', remember);
  expect(connections).toHaveLength(CALLS);
  await eventually('the connections are collected', async () => {
    await setImmediate();
    collectGarbage();
    // A few may still be on the stack or in a cache of the engine.
    return connections.filter((one) => one.deref() !== undefined).length < CALLS / 100;
  });
});
