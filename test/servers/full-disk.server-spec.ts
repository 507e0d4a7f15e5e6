import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { SCHEMA } from '../../src/schema.js';
import { eventually } from '../support/eventually.js';
import { mayMount, mountMemory } from '../support/mounts.js';
import { useProcesses } from '../support/service-process.js';
import { expectConsistent, WriteLoad } from '../support/write-load.js';

interface Disk {
  /** The data folder. */
  dataDir: string;
  env: Record<string, string>;
  fill: () => void;
  free: () => void;
  remove: () => void;
}

/** Bytes. */
const DISK_SIZE = 96 * 1024 * 1024;

/** A small file system in memory. */
function smallFileSystem(folder: string): Disk {
  const mountPoint = join(folder, 'disk');
  const filler = join(mountPoint, 'filler');
  mkdirSync(mountPoint);
  mountMemory(mountPoint, DISK_SIZE);
  return {
    dataDir: join(mountPoint, 'data'),
    env: {},
    // More than is free: the service writes at the same time, so that the free space changes.
    fill: () => expect(() => writeFileSync(filler, Buffer.alloc(DISK_SIZE))).toThrow('ENOSPC'),
    free: () => rmSync(filler),
    // Lazily: after a failure the service still uses it, and an error here would hide that of the
    // test.
    remove: () => execFileSync('umount', ['--lazy', mountPoint]),
  };
}

/** The real disk, with simulated failures of the engine's writes. */
const simulatedDisk =
  (writes: 'grow' | 'write') =>
  (folder: string): Disk => {
    const marker = join(folder, 'disk-is-full');
    const preload = new URL('../support/full-disk.js', import.meta.url);
    return {
      dataDir: join(folder, 'data'),
      env: { FULL_DISK: marker, NODE_OPTIONS: `--import ${preload.href}` },
      fill: () => writeFileSync(marker, writes),
      free: () => rmSync(marker),
      remove: () => undefined,
    };
  };

/** The last two can be tested without root privileges. */
const DISKS: [name: string, (folder: string) => Disk][] = [
  ['of a small file system', smallFileSystem],
  ['that refuses to extend files', simulatedDisk('grow')],
  ['that refuses every write', simulatedDisk('write')],
];

describe('the embedded database', () => {
  const processes = useProcesses();
  let template: string;

  // Creating a data folder takes long, so it is copied.
  beforeAll(async () => {
    template = mkdtempSync(join(tmpdir(), 'template-database-'));
    await (await openDatabase({ kind: 'embedded', dataDir: template }, SCHEMA)).close();
  });

  afterAll(() => rmSync(template, { recursive: true }));

  it.each(mayMount() ? DISKS : DISKS.slice(1))(
    'the embedded database on a full disk %s responds with 503, loses nothing and recovers when space is free again',
    async (_kind, makeDisk) => {
      const { dataDir, env, ...disk } = makeDisk(processes.folder);
      const settings = { ...env, DATA_DIR: dataDir, RATE_LIMIT_ENABLED: 'false' };
      try {
        cpSync(template, dataDir, { recursive: true });
        const service = await processes.start(settings);
        const load = new WriteLoad();
        await load.start(service.origin);
        await load.waitForMore('acknowledged', 20);

        disk.fill();
        await load.waitForMore('unavailable', 10);
        expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
        disk.free();
        await load.waitForMore('acknowledged', 20);
        await load.stop();
        await load.expectPersisted(service.origin);
        expect(service.output).toContain('No space left on device');

        disk.fill();
        expect(await service.stop()).toBe(0);
        const { code, output } = await startOrEnd(settings);
        if (code !== 0) {
          expect(code).toBe(1);
          expect(output).toMatch(
            /^DATA_DIR .*: The engine does not start: no space left on the device\n$/,
          );
        }
        disk.free();
        const last = await processes.start(settings);
        await load.expectPersisted(last.origin);
        await last.stop();
        const { dataSource, close } = await openDatabase({ kind: 'embedded', dataDir }, SCHEMA);
        await expectConsistent(dataSource).finally(close);
      } finally {
        disk.remove();
      }
    },
  );

  /** Starts the service, and stops it if the start succeeded. */
  async function startOrEnd(
    settings: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> {
    const service = processes.run(settings);
    await eventually(
      'it is ready or has exited',
      () => service.hasEnded || service.output.includes('Data '),
    );
    if (!service.hasEnded) await service.stop();
    return service.end();
  }
});
