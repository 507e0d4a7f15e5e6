import { describe, expect, it, jest } from '@jest/globals';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { useCheckouts, type Checkout, type CommandResult } from '../support/checkout.js';
import { eventually } from '../support/eventually.js';

/** The compiler takes seconds on a busy machine, and some tests run it several times. */
jest.setTimeout(240_000);

const BUILD_IN_USE = fileURLToPath(
  new URL('../../src/platform/process/build-usage.ts', import.meta.url),
);

/** A program that loads a file on a signal of its input, and runs until the input ends. */
const SOURCES = {
  'ormconfig.ts': 'export default {};\n',
  'src/types.d.ts': 'declare const typeOnly: string;\n',
  'src/platform/process/build-usage.ts': readFileSync(BUILD_IN_USE, 'utf8'),
  'src/late.ts': "export const text = 'first';\n",
  'src/main.ts': `import './platform/process/build-usage.js';
    console.log('ready');
    process.stdin.on('data', async () => console.log((await import('./late.js')).text));
  `,
};

describe('the build', () => {
  const checkouts = useCheckouts();
  const build = (checkout: Checkout): Promise<CommandResult> =>
    checkout.run('node', ['scripts/build.js']);
  const built: CommandResult = { code: 0, output: 'Building ...\n' };
  const noBuild: CommandResult = { code: 0, output: '' };

  async function change(checkout: Checkout, text: string): Promise<void> {
    checkout.write('src/late.ts', `export const text = '${text}';\n`);
    expect(await build(checkout)).toEqual(built);
  }

  /** Builds and returns the output. */
  async function textOf(checkout: Checkout): Promise<string> {
    const print = "import('./dist/src/late.js').then(({ text }) => console.log(text))";
    return (await checkout.run('node', ['-e', print])).output.trim();
  }

  it('compiles changed sources with a message, and otherwise does nothing', async () => {
    const checkout = checkouts(SOURCES);
    expect(await build(checkout)).toEqual(built);
    expect(await build(checkout)).toEqual(noBuild);
    expect(await textOf(checkout)).toBe('first');

    await change(checkout, 'second');
    expect(await build(checkout)).toEqual(noBuild);
    expect(await textOf(checkout)).toBe('second');

    // Back to a build that still exists.
    checkout.write('src/late.ts', SOURCES['src/late.ts']);
    expect(await build(checkout)).toEqual(noBuild);
    expect(await textOf(checkout)).toBe('first');
  });

  it('depends on the contents of the sources, not on times, and not on tests', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    checkout.write('src/late.ts', SOURCES['src/late.ts']);
    checkout.write('src/late.spec.ts', 'no test of this is compiled');
    expect(await build(checkout)).toEqual(noBuild);
  });

  it('keeps the build of a running process, and removes it afterwards', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    const first = checkout.currentBuild();
    const service = checkout.start('node', ['dist/src/main.js']);
    await service.waitForOutput('ready');

    await change(checkout, 'second');
    await change(checkout, 'third');
    await change(checkout, 'fourth');
    // The second build is removed: no process ran it, and it is not the previous one.
    expect(checkout.builds()).toHaveLength(3);
    service.child.stdin?.write('go');
    await service.waitForOutput('first');

    await service.kill();
    checkout.write('src/late.ts', "export const text = 'third';\n");
    expect(await build(checkout)).toEqual(noBuild);
    expect(checkout.builds()).toHaveLength(2);
    expect(checkout.builds().map((name) => checkout.path('builds', name))).not.toContain(first);
    expect(await textOf(checkout)).toBe('third');
  });

  it('removes the record of a process that exited normally', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    const processes = `${checkout.currentBuild()}/processes`;
    const service = checkout.start('node', ['dist/src/main.js']);
    await service.waitForOutput('ready');
    expect(readFileSync(`${processes}/${String(service.child.pid)}`, 'utf8')).toBe('');
    service.child.stdin?.end();
    expect((await service.end()).code).toBe(0);
    expect(() => readFileSync(`${processes}/${String(service.child.pid)}`)).toThrow('ENOENT');
  });

  it('can run several times concurrently', async () => {
    const checkout = checkouts(SOURCES);
    const results = await Promise.all([1, 2, 3].map(() => build(checkout)));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(checkout.builds()).toEqual([expect.stringMatching(/^[\da-f]+$/)]);
    expect(await textOf(checkout)).toBe('first');
  });

  it('keeps the last build when the compiler fails', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    checkout.write('src/late.ts', 'export const text: string = 1;\n');
    const { code, output } = await build(checkout);
    expect(code).not.toBe(0);
    expect(output).toContain('src/late.ts(1,14): error TS2322');
    expect(checkout.builds()).toHaveLength(1);
    expect(await textOf(checkout)).toBe('first');
  });

  it('removes the files of a killed build', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    checkout.write('src/late.ts', "export const text = 'second';\n");
    const killed = checkout.start('node', ['scripts/build.js']);
    await eventually('it compiles', () => checkout.builds().some((name) => name.includes('.')));
    await killed.kill();
    expect(checkout.builds()).toContainEqual(expect.stringContaining('.'));
    await change(checkout, 'third');
    expect(checkout.builds()).toEqual(Array(2).fill(expect.stringMatching(/^[\da-f]+$/)));
  });

  it('repairs a build that lacks a file', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    rmSync(checkout.path('dist/src/late.js'));
    expect(await build(checkout)).toEqual(built);
    expect(await textOf(checkout)).toBe('first');
  });

  it.each([
    ['a folder', (checkout: Checkout) => checkout.write('dist/src/main.js', '')],
    ['a broken link', (checkout: Checkout) => symlinkSync('gone', checkout.path('dist'))],
  ])('replaces %s at the path of its link', async (_, prepare) => {
    const checkout = checkouts(SOURCES);
    prepare(checkout);
    expect(await build(checkout)).toEqual(built);
    expect(await textOf(checkout)).toBe('first');
  });
});
