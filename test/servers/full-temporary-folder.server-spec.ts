import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn, signUp } from '../support/client.js';
import { expectError } from '../support/errors.js';
import { mayMount, mountMemory } from '../support/mounts.js';
import { useProcesses } from '../support/service-process.js';

/** Bytes; a calendar and a list are smaller. */
const SIZE = 1024 * 1024;

/** Of expenses, whose list has more than 100,000 characters. */
const NUMBER = 90;

const SENTENCE =
  'a full folder of temporary files is 503 for what needs one, and nothing else, until it has space';

describe('a full folder of temporary files', () => {
  const processes = useProcesses(() => ({ RATE_LIMIT_ENABLED: 'false' }));

  (mayMount() ? it : it.skip)(SENTENCE, async () => {
    const folder = join(processes.folder, 'temporary');
    const filler = join(folder, 'filler');
    mkdirSync(folder);
    mountMemory(folder, SIZE);
    try {
      const service = await processes.start({ TMPDIR: folder });
      const user = await signUp(service.origin);
      const { id } = await user.createCycle();
      // A list that is longer than what is sent from memory.
      const { id: payment_method_id } = await user.createPaymentMethod();
      for (let n = 0; n < NUMBER; n += 1) {
        await user.createExpense(id, { payment_method_id, comments: 'x'.repeat(1000) });
      }
      const list = `/cycles/${id}/expenses`;
      const { url } = await user.createCalendarFeed();
      const calendar = service.origin + new URL(url).pathname;

      expect(() => writeFileSync(filler, Buffer.alloc(2 * SIZE))).toThrow('ENOSPC');
      for (const path of ['/export', list]) {
        const response = await user.get(path);
        expectError(response, 503, 'SERVICE_UNAVAILABLE');
        expect(response.get('Retry-After')).toBe('1');
      }
      expect((await fetch(calendar)).status).toBe(503);
      await user.get('/auth/me').expect(200);
      expect(service.output).toMatch(
        /WARN \[Error\] request_id=\S+ TMPDIR \/\S+: ENOSPC: no space left on device/,
      );
      expect(service.output).not.toContain('ERROR');

      // A start does not fail for it.
      await service.stop();
      const again = await processes.start({ TMPDIR: folder });
      const client = await signIn(again.origin, user.email);
      await client.get('/export').expect(503);
      rmSync(filler);
      await client.get('/export').expect(200);
      expect((await client.expenses(id)).expenses).toHaveLength(NUMBER);
    } finally {
      execFileSync('umount', ['--lazy', folder]);
    }
  });
});
