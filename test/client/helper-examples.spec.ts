import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as library from '../../clients/typescript/src/index.js';
import { useRelayedClients } from '../support/relayed-client.js';
import { useService } from '../support/service.js';
import { exampleOf } from '../support/typescript-client.js';

describe('the examples of the helpers in the README of the TypeScript client', () => {
  // A connection that is aborted before its first request would delay the end of the service.
  const clients = useRelayedClients(useService());

  it.each(['amounts', 'dates', 'messages', 'queries'])(
    'the example of %s in the README of the TypeScript client prints the documented output',
    async (name) => {
      const client = await clients.signUp();
      let printed = '';
      const textOf = (value: unknown): string =>
        typeof value === 'string' ? value : inspect(value).replace(/\[Array\(\d+\)\] /, '');
      const console = {
        log: (...values: unknown[]) => (printed += `${values.map(textOf).join(' ')}\n`),
      };
      // The names that it imports are those of the context.
      const code = exampleOf(name, 'ts').replace(/^import .*?;$/ms, '');
      await runInNewContext(`(async () => {${code}})()`, { ...library, client, console });
      expect(printed).toBe(exampleOf(name, 'text'));
      expect(printed).not.toBe('');
    },
  );
});
