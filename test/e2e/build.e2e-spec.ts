import { describe, expect, it, jest } from '@jest/globals';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { useCheckouts, type Checkout, type CommandResult } from '../support/checkout.js';
import { eventually } from '../support/eventually.js';

/** The compiler takes seconds on a busy machine, and some tests run it several times. */
jest.setTimeout(240_000);

const SOURCES = {
  'ormconfig.ts': 'export default {};\n',
  'src/other.ts': "export const other = 'other';\n",
  'src/main.ts': "export const text = 'first';\n",
};

/** The command printed nothing, but on a busy machine that it takes longer than usual. */
const NOTHING_TO_DO: CommandResult = {
  code: 0,
  output: expect.stringMatching(/^(Still at work after \d+ s\n)*$/) as unknown as string,
};

/** On a busy machine a command says that it waits for another one. */
const NOTHING_BUT_WAITING: CommandResult = {
  code: 0,
  output: expect.stringMatching(/^(Waiting for another command .*\n)?$/) as unknown as string,
};

/** The command printed one step with its duration, and nothing else. */
const done = (title: string): CommandResult => ({
  code: 0,
  output: expect.stringMatching(
    new RegExp(
      `^${title} \\(.* seconds\\) \\.{3}\\n(Still at work after \\d+ s\\n)*Done in \\d+ s\\n$`,
    ),
  ) as unknown as string,
});

describe('the build', () => {
  const checkouts = useCheckouts();
  const build = (checkout: Checkout): Promise<CommandResult> =>
    checkout.run('node', ['scripts/prepare.cjs']);

  async function textOf(checkout: Checkout): Promise<string> {
    const print = "import('./dist/src/main.js').then(({ text }) => console.log(text))";
    return (await checkout.run('node', ['-e', print])).output.trim();
  }

  const timeOf = (checkout: Checkout, file: string): number =>
    statSync(checkout.path(file)).mtimeMs;

  it('the build compiles new and changed sources, and otherwise writes nothing', async () => {
    const checkout = checkouts(SOURCES);
    expect(await build(checkout)).toEqual(done('Building'));
    expect(await textOf(checkout)).toBe('first');

    const before = timeOf(checkout, 'dist/src/main.js');
    expect(await build(checkout)).toEqual(NOTHING_TO_DO);
    expect(timeOf(checkout, 'dist/src/main.js')).toBe(before);

    const other = timeOf(checkout, 'dist/src/other.js');
    checkout.write('src/main.ts', "export const text = 'second';\n");
    expect(await build(checkout)).toEqual(NOTHING_TO_DO);
    expect(await textOf(checkout)).toBe('second');
    expect(timeOf(checkout, 'dist/src/other.js')).toBe(other);
  });

  it('the build creates the empty database once, complete or not at all', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    const [archive = ''] = readdirSync(checkout.path('empty-cluster'));
    rmSync(checkout.path('empty-cluster'), { recursive: true });
    const killed = checkout.start('node', ['scripts/prepare.cjs']);
    await eventually('it starts', () => existsSync(checkout.path('empty-cluster')));
    await killed.kill();
    expect(existsSync(checkout.path('empty-cluster', archive))).toBe(false);

    expect(await build(checkout)).toEqual(done('Creating an empty database'));
    expect(await build(checkout)).toEqual(NOTHING_TO_DO);
    expect(readdirSync(checkout.path('empty-cluster'))).toContain(archive);
  });

  it('the build compiles no tests', async () => {
    const checkout = checkouts(SOURCES);
    checkout.write('src/main.spec.ts', 'this is not TypeScript');
    expect((await build(checkout)).code).toBe(0);
  });

  it('the build fails while a source has an error, and keeps the last build', async () => {
    const checkout = checkouts(SOURCES);
    await build(checkout);
    checkout.write('src/main.ts', 'export const text: string = 1;\n');
    for (const attempt of ['first', 'second']) {
      const { code, output } = await build(checkout);
      expect({ attempt, failed: code !== 0 }).toEqual({ attempt, failed: true });
      expect(output).toContain('src/main.ts(1,14): error TS2322');
    }
    expect(await textOf(checkout)).toBe('first');
  });

  it('the build runs once if several commands start at the same time', async () => {
    const checkout = checkouts(SOURCES);
    const results = await Promise.all([1, 2, 3].map(() => build(checkout)));
    const [built, ...others] = results.sort((a, b) => b.output.length - a.output.length);
    expect(built).toEqual(done('Building'));
    expect(others).toEqual([NOTHING_BUT_WAITING, NOTHING_BUT_WAITING]);
    expect(await textOf(checkout)).toBe('first');
    expect(existsSync(checkout.path('.prepare-lock'))).toBe(false);
  });

  it('the build waits for another build, unless that was killed', async () => {
    const checkout = checkouts(SOURCES);
    const other = checkout.start('node', ['-e', "console.log('ready'); process.stdin.resume()"]);
    await other.waitForOutput('ready');
    checkout.write('.prepare-lock', String(other.child.pid));
    const waiting = checkout.start('node', ['scripts/prepare.cjs']);
    await waiting.waitForOutput('Waiting for another command that installs or builds ...\n');
    expect(existsSync(checkout.path('dist'))).toBe(false);
    await other.kill();
    await waiting.waitForOutput('Building');
    expect((await waiting.end()).code).toBe(0);
    expect(await textOf(checkout)).toBe('first');
  });
});

describe('npm run start:dev', () => {
  const checkouts = useCheckouts();

  it('npm run start:dev restarts the service when a source changes', async () => {
    const checkout = checkouts({ ...SOURCES, 'src/main.ts': "console.log('first');\n" });
    checkout.write('.env', 'PORT=0\n');
    const watch = checkout.start('npm', ['run', '--silent', 'start:dev']);
    await watch.waitForOutput('first');
    await watch.waitForOutput('Watching for file changes');
    // The compiler says so before it watches: it may miss a change, but not all of them.
    const change = (): void => checkout.write('src/main.ts', "console.log('second');\n");
    const changes = setInterval(change, 1000);
    try {
      await watch.waitForOutput('second');
    } finally {
      clearInterval(changes);
    }
    await watch.kill();
  });
});
