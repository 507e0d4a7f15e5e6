import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ClientOfOtherVersion, signUp } from '../support/client.js';
import {
  buildImage,
  buildPreviousImage,
  docker,
  EmbeddedContainers,
  IMAGE,
  inContainer,
  inspect,
  logsOf,
  PREVIOUS_IMAGE,
  processStatus,
  PROJECT,
  residentMemory,
} from '../support/containers.js';
import { eventually } from '../support/eventually.js';
import { createHousehold } from '../support/household.js';
import { repetitions } from '../support/repetitions.js';
import { WriteLoad } from '../support/write-load.js';

const LOAD_MS = repetitions(1) * 60_000;

describe('the image', () => {
  const containers = new EmbeddedContainers();

  beforeAll(async () => {
    await buildImage(IMAGE);
  });

  it('the image has no package manager, source maps, declarations or tests', async () => {
    const found = await docker([
      ...['run', '--rm', IMAGE, 'sh', '-c'],
      `find /app /usr/local -name '*.map' -o -name '*.d.ts' -o -name 'npm*'; find /app/dist -name '*.spec.*'`,
    ]);
    expect(found).toBe('');
    const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(`${PROJECT}Dockerfile`, 'utf8')) ?? [];
    const [size, baseSize] = await Promise.all(
      [IMAGE, base].map(async (image) => Number(await inspect(image, '.Size')) / 1e6),
    );
    process.stdout.write(`The image adds ${Math.round((size ?? 0) - (baseSize ?? 0))} MB\n`);
  });

  it('the image runs as a user without privileges, and writes to the volume only', async () => {
    const { name } = await containers.start({ volume: containers.volume('restricted') });
    const status = await processStatus(name);
    expect(status.get('Uid')).toBe('1000\t1000\t1000\t1000');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect([set, status.get(set)]).toEqual([set, '0000000000000000']);
    }
    expect(status.get('NoNewPrivs')).toBe('1');
    expect(status.get('Seccomp')).toBe('2');
    for (const path of ['/app/x', '/tmp/x', '/home/node/x', '/etc/x']) {
      await expect(inContainer(name, `echo > ${path}`)).rejects.toThrow('Read-only file system');
    }
    expect(await inContainer(name, 'find /home/node/data -perm /077')).toBe('');
  });

  it('the image exports, with a temporary file on the volume', async () => {
    const { origin } = await containers.start({ volume: containers.volume('exported') });
    const user = await signUp(origin);
    await createHousehold(user);
    await user.get('/export').expect(200);
  });

  it.each(['384m', '512m'])(
    'the image starts and serves with a memory limit of %s',
    async (memory) => {
      const volume = containers.volume(`memory-${memory}`);
      const first = await containers.start({ volume, memory });
      const firstPeak = await residentMemory(first.name, 'VmHWM');
      await createHousehold(await signUp(first.origin));
      await docker(['stop', first.name]);

      const later = await containers.start({ volume, memory });
      const laterPeak = await residentMemory(later.name, 'VmHWM');
      expect((await logsOf(later.name)).includes('The memory limit is')).toBe(memory === '384m');
      process.stdout.write(
        `Limit ${memory}: first start ${firstPeak} MB, later start ${laterPeak} MB\n`,
      );
    },
  );

  it(
    'the image serves the sample household under load with 512 MB',
    async () => {
      const { name, origin } = await containers.start({
        volume: containers.volume('load'),
        memory: '512m',
      });
      const user = await signUp(origin);
      const { id } = await createHousehold(user);
      const load = new WriteLoad();
      await load.start(origin);
      const end = Date.now() + LOAD_MS;
      let reads = 0;
      while (Date.now() < end) {
        await user.get(`/cycles/${id}`).expect(200);
        await user.get(`/cycles/${id}/expenses?per_page=50`).expect(200);
        reads += 2;
      }
      await load.stop();
      await load.expectPersisted(origin);
      expect(await inspect(name, '.State.OOMKilled')).toBe('false');
      expect(await inspect(name, '.RestartCount')).toBe('0');
      const now = await residentMemory(name, 'VmRSS');
      const { acknowledged } = load.counts;
      process.stdout.write(
        `${LOAD_MS / 1000} s: ${acknowledged} writes, ${reads} reads, ${now} MB\n`,
      );
    },
    LOAD_MS + 300_000,
  );

  it('the image refuses the volume of a running container', async () => {
    const volume = containers.volume('shared');
    const first = await containers.start({ volume });
    const user = await signUp(first.origin);
    const second = await containers.create({ volume });
    await eventually(
      'the second container ends',
      async () => (await inspect(second.name, '.State.Running')) === 'false',
    );
    expect(await inspect(second.name, '.State.ExitCode')).toBe('1');
    expect(await logsOf(second.name)).toMatch(
      /^The data folder \/home\/node\/data is in use by another process; stop that one first\n$/,
    );
    await user.get('/auth/me').expect(200);

    // The kernel releases the lock.
    await docker(['kill', first.name]);
    const third = await containers.start({ volume });
    await (await signUp(third.origin)).get('/auth/me').expect(200);
  });

  it('the image stops on SIGTERM under load, and its replacement has every acknowledged write', async () => {
    const volume = containers.volume('replaced');
    const first = await containers.start({ volume });
    const load = new WriteLoad();
    await load.start(first.origin);
    await load.waitForMore('acknowledged', 100);
    await docker(['stop', first.name]);
    await load.stop();
    expect(await inspect(first.name, '.State.ExitCode')).toBe('0');
    expect(await logsOf(first.name)).not.toMatch(/"level":"(error|fatal)"/);
    await docker(['rm', first.name]);

    const second = await containers.start({ volume });
    await load.expectPersisted(second.origin);
  });

  it('the image continues with a copy of the volume, as a backup', async () => {
    const [volume, restored] = [containers.volume('original'), containers.volume('restored')];
    const first = await containers.start({ volume });
    const load = new WriteLoad();
    await load.start(first.origin);
    await load.waitForMore('acknowledged', 20);
    await docker(['stop', first.name]);
    await load.stop();
    await docker([
      ...['run', '--rm', '--user', '0', '--volume', `${volume}:/from:ro`],
      ...['--volume', `${restored}:/home/node/data`, IMAGE],
      ...['sh', '-c', 'tar -C /from -c . | tar -C /home/node/data -xp'],
    ]);
    await load.expectPersisted((await containers.start({ volume: restored })).origin);
  });

  it('the image upgrades a volume of the image before the last migration', async () => {
    await buildPreviousImage();
    const volume = containers.volume('upgraded');
    const before = await containers.start({ image: PREVIOUS_IMAGE, volume, memory: '2g' });
    const load = new WriteLoad(ClientOfOtherVersion);
    await load.start(before.origin);
    await load.waitForMore('acknowledged', 100);
    await docker(['stop', before.name]);
    await load.stop();

    const after = await containers.start({ volume });
    await load.expectPersisted(after.origin);
    await docker(['stop', after.name]);
    const check = await docker([
      ...['run', '--rm', '--volume', `${volume}:/home/node/data`, IMAGE],
      ...['node', 'dist/src/operators/cli/main.js', 'check'],
    ]);
    expect(check).toContain('No problems found.');
  });

  it('the image runs the demo without a volume or a port', async () => {
    const name = `expense-demo-${process.pid}`;
    const demo = ['node', 'dist/src/operators/demo/main.js'];
    await docker(['run', '--detach', '--name', name, '--memory', '512m', IMAGE, ...demo]);
    await setTimeout(100);
    try {
      await eventually(
        'the demo ends',
        async () => (await inspect(name, '.State.Running')) === 'false',
      );
      expect(await inspect(name, '.State.ExitCode')).toBe('0');
    } finally {
      await docker(['rm', '--force', name]);
    }
  });
});
