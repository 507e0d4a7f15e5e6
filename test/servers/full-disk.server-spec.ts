import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/open-database.js';
import { eventually } from '../support/eventually.js';
import { useProcesses } from '../support/service-process.js';
import { expectWhole, WriteLoad } from '../support/write-load.js';

interface Disk {
  /** Where the data goes. */
  dataDir: string;
  env: Record<string, string>;
  fill: () => void;
  free: () => void;
  remove: () => void;
}

/** A file system of its own, in memory. */
function smallFileSystem(folder: string): Disk {
  const mountPoint = join(folder, 'disk');
  const ballast = join(mountPoint, 'ballast');
  mkdirSync(mountPoint);
  mount(mountPoint, '96m');
  return {
    dataDir: join(mountPoint, 'data'),
    env: {},
    fill: () => {
      const { bavail, bsize } = statfsSync(mountPoint);
      writeFileSync(ballast, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(ballast),
    remove: () => execFileSync('umount', [mountPoint]),
  };
}

/** The disk that there is, with the engine's writes refused. */
const refusing =
  (writes: 'grow' | 'write') =>
  (folder: string): Disk => {
    const sign = join(folder, 'disk-is-full');
    const preload = new URL('../support/full-disk.js', import.meta.url);
    return {
      dataDir: join(folder, 'data'),
      env: { FULL_DISK: sign, NODE_OPTIONS: `--import ${preload.href}` },
      fill: () => writeFileSync(sign, writes),
      free: () => rmSync(sign),
      remove: () => undefined,
    };
  };

function mount(mountPoint: string, size: string): void {
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', mountPoint];
  execFileSync('mount', options, { stdio: 'pipe' });
}

/** Root may mount, unless it is in a container. */
function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-test-'));
  try {
    mount(folder, '1m');
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** Every user can have the last two. */
const DISKS: [name: string, (folder: string) => Disk][] = [
  ['of a small file system', smallFileSystem],
  ['that refuses files to grow', refusing('grow')],
  ['that refuses every write', refusing('write')],
];

describe('the embedded database', () => {
  const processes = useProcesses();
  let made: string;

  // Making one takes longest, and it can be copied.
  beforeAll(async () => {
    made = mkdtempSync(join(tmpdir(), 'made-database-'));
    await (await openDatabase({ kind: 'embedded', dataDir: made })).close();
  });

  afterAll(() => rmSync(made, { recursive: true }));

  it.each(mayMount() ? DISKS : DISKS.slice(1))(
    'on a full disk %s answers 503, loses nothing and goes on when there is room again',
    async (_kind, makeDisk) => {
      const { dataDir, env, ...disk } = makeDisk(processes.folder);
      const settings = { ...env, DATA_DIR: dataDir, RATE_LIMIT_ENABLED: 'false' };
      try {
        cpSync(made, dataDir, { recursive: true });
        const service = await processes.start(settings);
        const load = new WriteLoad();
        await load.start(service.origin);
        await load.goesOn('acknowledged', 20);

        disk.fill();
        await load.goesOn('unavailable', 10);
        expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
        disk.free();
        await load.goesOn('acknowledged', 20);
        await load.stop();
        await load.expectKept(service.origin);
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
        await load.expectKept(last.origin);
        await last.stop();
        const { dataSource, close } = await openDatabase({ kind: 'embedded', dataDir });
        await expectWhole(dataSource).finally(close);
      } finally {
        disk.remove();
      }
    },
  );

  /** Starts the service, and ends it again where that goes well. */
  async function startOrEnd(
    settings: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> {
    const service = processes.run(settings);
    await eventually(
      'it serves or ends',
      () => service.hasEnded || service.output.includes('Data '),
    );
    if (!service.hasEnded) await service.stop();
    return service.end();
  }
});
