import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Container } from '../support/container.js';
import { ImageBuild, inImage, type Image } from '../support/image-build.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD_WITHIN_MS = 240_000;
const RUN_WITHIN_MS = 180_000;
const LARGEST_KB = 200_000;

interface LockFile {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
}

/** The Dockerfile is carried out step by step, as a build would, and what comes of it is run. */
describe('the container image', () => {
  let folder: string;
  let image: Image;
  let container: Container;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'container-test-'));
    chmodSync(folder, 0o755);
    image = await new ImageBuild(PROJECT, folder).run();
    container = await Container.of(image);
  }, BUILD_WITHIN_MS);

  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true });
  });

  it('has what runs and nothing else', () => {
    expect(readdirSync(inImage(image)).sort()).toEqual([
      'dist',
      'fixtures',
      'node_modules',
      'package.json',
    ]);
  });

  it('has no package that only development needs', () => {
    const lockFile = readFileSync(join(PROJECT, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lockFile) as LockFile;
    const unneeded = Object.keys(packages).filter((path) => {
      const { dev, devOptional, optional } = packages[path] ?? {};
      return dev ?? devOptional ?? optional;
    });
    expect(unneeded).toContain('node_modules/typescript');
    expect(unneeded.filter((path) => existsSync(inImage(image, path)))).toEqual([]);
  });

  it('adds less than 200 MB to the base image', () => {
    const kilobytes = parseInt(execFileSync('du', ['-sk', inImage(image)]).toString(), 10);
    expect(kilobytes).toBeLessThan(LARGEST_KB);
  });

  it(
    'becomes healthy, serves, and ends by itself when it is told to stop',
    async () => {
      expect(await container.isHealthy()).toBe(false);
      container.start();
      try {
        await container.untilHealthy();
        expect(await register(container.origin)).toBe(201);
        expect((await fetch(`${container.origin}/docs`)).status).toBe(200);
        expect(await container.stop()).toBe(0);
      } finally {
        await container.stop('SIGKILL');
      }
      expect(await container.isHealthy()).toBe(false);
      expect(image.volumes.map((volume) => readdirSync(inImage(image, volume)).sort())).toEqual([
        ['auth-secret', 'pgdata'],
      ]);
    },
    RUN_WITHIN_MS,
  );

  it("runs operators' commands", async () => {
    const command = ['node', 'dist/src/cli/main.js', 'check'];
    const { code, output } = await container.exec(command);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('All is well') });
  });

  it('plays the demo', async () => {
    const { code, output } = await container.exec(['node', 'dist/src/demo/main.js']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Remains') });
  });
});

async function register(origin: string): Promise<number> {
  const { status } = await fetch(`${origin}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com', password: 'correct horse battery' }),
  });
  return status;
}
