import { beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  databaseLine,
  ENGINE,
  runProgram,
  useSandbox,
  type CliDatabase,
  type CommandResult,
} from '../support/cli.js';
import { Client, TEST_PASSWORD } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { RatesServer } from '../support/rates-server.js';
import { Service } from '../support/service.js';

// The effects of the commands are tested in integration/operators.spec.ts, their arguments and
// output here.

const sandbox = useSandbox();

describe("the operators' program", () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    runProgram(args, { env, cwd: sandbox.folder });

  it("the operators' program shows its help", async () => {
    const { code, stdout } = await run(['users', 'create', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: expense-service users create [options] <email>');
    expect(stdout).not.toContain('--password ');
  });

  it.each([
    [[]],
    [['users', 'list', '--nonsense']],
    [['households', 'set-role', 'ana@example.com', 'boss']],
    [['demo-data', '--users', '0']],
  ])("the operators' program prints its usage and exits with 2 for %j", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/Usage: |error: /);
  });

  it("the operators' program migrates a database, and only one that exists", async () => {
    const database = await sandbox.database('embedded');
    expect(await database.print(['migrate'])).toBe(
      'The database has the schema of this version.\n',
    );
    const { code, stderr } = await run(['migrate'], { DATA_DIR: './dta' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/\nNo database in/),
    });
  });

  it("the operators' program fetches missing rates once, or says why not", async () => {
    const { settings, print } = await sandbox.database('embedded');
    const dataDir = settings.kind === 'embedded' ? settings.dataDir : '';
    const source = new RatesServer();
    await source.start();
    /** The last requested day. */
    const date = (): string => source.queries[0]?.to ?? '';
    source.respond = (response) => {
      response.end(JSON.stringify([{ date: date(), base: 'MXN', quote: 'USD', rate: 0.0556 }]));
    };
    const fetchRates = (...args: string[]): Promise<CommandResult> =>
      run(['exchange-rates', 'fetch', ...args], {
        DATA_DIR: dataDir,
        EXCHANGE_RATES_URL: source.url,
      });
    expect(await fetchRates()).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Fetched 1 rates of MXN in USD from \S+ to \S+: 1 new\. What was .*\/reprice\.\n$/,
      ),
      stderr: databaseLine(dataDir),
    });
    expect(JSON.parse((await fetchRates('--json')).stdout)).toMatchObject({ rates: 1, added: 0 });
    await source.stop();
    expect(await fetchRates()).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Database: .*\nhttp:.*\/v2\/rates\?\S+: connect ECONNREFUSED \S+\n$/,
      ),
    });
    expect(await print(['exchange-rates', 'list'])).toMatch(
      new RegExp(`^MXN +USD +0\\.055600 +${date()}$`, 'm'),
    );
    const { code, stderr } = await run(['exchange-rates', 'fetch'], { DATA_DIR: dataDir });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${databaseLine(dataDir)}EXCHANGE_RATES_URL is not set\n`,
    });
  });

  it("the operators' program refuses a folder that does not exist", async () => {
    const { code, stderr } = await run(['users', 'list'], { DATA_DIR: './dta' });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${databaseLine(sandbox.path('dta'))}No database in ${sandbox.path('dta')}; set DATA_DIR or DATABASE_URL as for the service\n`,
    );
    expect(existsSync(sandbox.path('dta'))).toBe(false);
  });

  it("the operators' program warns of a variable that looks like a misspelt setting", async () => {
    const env = { DATABSE_URL: 'postgres://127.0.0.1/expenses', DATA_DIR: './dta' };
    const { stdout, stderr } = await run(['users', 'list'], env);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^Database: .*\nDATABSE_URL is not a setting .* did you mean DATABASE_URL\?\nNo database/,
    );
  });

  it.each([
    [{ DATA_DIR: './dta' }, '/dta'],
    [
      { DATABASE_URL: 'postgres://ana:sesame@127.0.0.1:1/gastos' },
      'PostgreSQL at 127.0.0.1:1/gastos',
    ],
    [
      { DATABASE_URL: 'postgres://ana:sesame@/gastos?host=/no/socket' },
      'PostgreSQL at /no/socket:5432/gastos',
    ],
  ])(
    "the operators' program says first which database it uses, without its password: %j",
    async (env, location) => {
      for (const args of [['check'], ['users', 'create', 'eva@example.com']]) {
        const { stdout, stderr } = await run(args, env);
        expect(stdout).toBe('');
        expect(stderr.split('\n')[0]).toMatch(/^Database: /);
        expect(stderr.split('\n')[0]?.endsWith(location)).toBe(true);
        expect(stderr).not.toContain('sesame');
      }
    },
  );

  it.each(['DATABASE_URL', 'DATABASE_URL_FILE'])(
    "the operators' program refuses a DATA_DIR of the environment that %s of .env would replace",
    async (name) => {
      const { settings } = await sandbox.database('embedded');
      const dataDir = settings.kind === 'embedded' ? settings.dataDir : '';
      const file = sandbox.path('.env');
      writeFileSync(file, `${name}=postgres://ana:sesame@127.0.0.1:1/production\n`);
      try {
        const env = { DATA_DIR: dataDir };
        expect(await run(['users', 'list'], env)).toEqual({
          code: 1,
          stdout: '',
          stderr: `DATA_DIR is in the environment, but ${name} of ${file} would be used: remove DATA_DIR, or set ${name} empty in the environment (${name}=)\n`,
        });
        expect(await run(['users', 'list'], { ...env, [name]: '' })).toEqual({
          code: 0,
          stdout: 'There are no users.\n',
          stderr: databaseLine(dataDir),
        });
        // What the file has twice, and a server of the environment, which nothing replaces.
        writeFileSync(file, `DATA_DIR=./dta\n${readFileSync(file, 'utf8')}`);
        const url = 'postgres://127.0.0.1:1/given';
        const given = { DATABASE_URL: url, DATABASE_URL_FILE: '' };
        expect((await run(['users', 'list'], given)).stderr).toMatch(/at 127\.0\.0\.1:1\/given\n/);
      } finally {
        rmSync(file);
      }
    },
  );

  it.each([
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' }, 'DATABASE_URL: cannot connect'],
  ])(
    "the operators' program reports the error of %j without a stack trace",
    async (env, message) => {
      const { code, stderr } = await run(['users', 'list'], env);
      expect(code).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('    at ');
    },
  );

  it("the operators' program reports that the service must be stopped first if it has opened the embedded database", async () => {
    const database = await sandbox.database('embedded');
    await database.use(async () => {
      const { code, stdout, stderr } = await database.run(['users', 'list']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^The data folder \S+ is in use by another process; stop that one/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  });
});

describe('on a database', () => {
  let database: CliDatabase;

  beforeAll(async () => {
    database = await sandbox.database(ENGINE);
  });

  async function read(...args: string[]): Promise<unknown> {
    return JSON.parse(await database.print([...args, '--json']));
  }

  it("the operators' program creates users with passwords that are read from a pipe or only printed", async () => {
    const args = ['users', 'create', ' Ana@Example.com', '--first-name', 'Ana'];
    const profile = ['--locale', 'es-MX', '--time-zone', 'America/Mexico_City'];
    const plan = ['--minimum-balance', '150', '--next-income-amount', 'zero'];
    expect(await database.print([...args, ...profile, ...plan], 'from a pipe\nmore')).toBe(
      'Created ana@example.com as admin of a new household.\n',
    );
    const bob = await read('users', 'create', 'bob@example.com', '--generate-password');
    const { password } = bob as { password: string };
    expect(password).toMatch(/^[\w-]{20}$/);
    await database.print(['users', 'set-password', 'bob@example.com'], 'another one');
    const expectedUser = {
      id: expect.any(String),
      last_name: null,
      preferred_currency: 'USD',
      reminders: { enabled: false, hour: 8, days_before: 3, confirmed: false },
      active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      household_id: expect.any(String),
      role: 'admin',
    };
    expect(await read('users', 'list')).toEqual([
      {
        ...{ ...expectedUser, email: 'ana@example.com', first_name: 'Ana' },
        ...{ locale: 'es-MX', time_zone: 'America/Mexico_City' },
        ...{ minimum_balance: '150.00', next_income_amount: 'zero' },
      },
      {
        ...{ ...expectedUser, email: 'bob@example.com', first_name: null },
        ...{ locale: 'en-US', time_zone: 'UTC' },
        ...{ minimum_balance: '0.00', next_income_amount: 'same' },
      },
    ]);

    const service = new Service();
    await service.start({ database: database.settings });
    try {
      await service.signIn('ana@example.com', 'from a pipe');
      await service.signIn('bob@example.com', 'another one');
      await expect(service.signIn('bob@example.com', password)).rejects.toThrow('401');
    } finally {
      await service.stop();
    }
  });

  it.each([
    [['users', 'create', 'eva@example.com'], '', /^No password in the input/],
    [['users', 'create', 'eva'], 'short', /^email must be an email\npassword must have 8/],
    [['users', 'deactivate', 'eva@example.com'], '', /^User eva@example.com not found$/],
    [['households', 'show', 'Casa'], '', /^Casa is neither a household id nor an e-mail$/],
    [
      ['households', 'set-role', 'ana@example.com', 'member'],
      '',
      /^A household must have at least/,
    ],
    [['exchange-rates', 'import', 'missing.csv'], '', /^ENOENT: .*missing.csv'$/],
  ])(
    "the operators' program reports the reason for refusing %j without a stack trace",
    async (args, input, message) => {
      const { code, stdout, stderr } = await database.run(args, input);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim()).toMatch(message);
      expect(stderr).not.toContain('    at ');
    },
  );

  it.each([
    ['Latin-1', Buffer.from('contraseña', 'latin1')],
    ['Latin-1 after the first line', Buffer.from('a password\nñ', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffcontraseña', 'utf16le')],
  ])("the operators' program refuses a password in %s", async (_encoding, input) => {
    for (const args of [
      ['users', 'create', 'latin@example.com'],
      ['users', 'set-password', 'ana@example.com'],
    ]) {
      expect(await database.run(args, input)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The password is not in UTF-8; set the terminal or the file to UTF-8\n',
      });
    }
  });

  it("the operators' program changes an e-mail, also one that is stored in another form than NFC", async () => {
    const [email, decomposed] = ['zoë@example.com', 'zoë@example.com'.normalize('NFD')];
    const create = (address: string): Promise<string> =>
      database.print(['users', 'create', address], TEST_PASSWORD);
    expect(await create(decomposed)).toBe(`Created ${email} as admin of a new household.\n`);
    await create('taken@example.com');
    const setEmail = (old: string, given: string): Promise<CommandResult> =>
      database.run(['users', 'set-email', old, given]);
    const refused = (reason: string): CommandResult => ({
      code: 1,
      stdout: '',
      stderr: `${reason}\n`,
    });
    expect(await setEmail(email, 'TAKEN@example.com')).toEqual(
      refused('A user with this e-mail already exists'),
    );
    expect(await setEmail(email, 'zo\u200b@example.com')).toEqual(
      refused('email must be an email'),
    );
    expect(await setEmail('nobody@example.com', email)).toEqual(
      refused('User nobody@example.com not found'),
    );
    expect(await database.print(['users', 'deactivate', decomposed.toUpperCase()])).toBe(
      `${email} is inactive now.\n`,
    );
    expect(await database.print(['users', 'set-email', decomposed, ' Eva@Example.com'])).toBe(
      `${email} is eva@example.com now.\n`,
    );

    await create(email);
    await database.use((dataSource) =>
      dataSource.query(`UPDATE users SET email = $1 WHERE email = 'taken@example.com'`, [
        decomposed,
      ]),
    );
    expect(await database.run(['check'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^ {2}user \S+: its e-mail \S+ is not in Unicode NFC, where/m),
    });
    expect(await setEmail(decomposed, email)).toEqual(
      refused('A user with this e-mail already exists'),
    );
    expect(await setEmail(decomposed, 'zoe@example.com')).toMatchObject({
      code: 0,
      stdout: `${decomposed} is zoe@example.com now.\n`,
    });
    await database.print(['check']);
    const service = new Service();
    await service.start({ database: database.settings });
    try {
      for (const user of ['zoe@example.com', email]) await service.signIn(user, TEST_PASSWORD);
    } finally {
      await service.stop();
    }
  });

  it("the operators' program shows and changes a household by its id or a member", async () => {
    const renamed = await database.print(['households', 'rename', 'ana@example.com', 'Casa Ruiz']);
    const [, id = ''] = /^Casa Ruiz \((\S+)\)/.exec(renamed) ?? [];
    expect(await database.print(['users', 'deactivate', 'ANA@example.com'])).toBe(
      'ana@example.com is inactive now.\n',
    );
    expect(await database.print(['households', 'show', id])).toMatch(
      /^ana@example.com +admin +no +20\d\d-/m,
    );
    expect(await read('households', 'list')).toContainEqual(
      expect.objectContaining({ id, name: 'Casa Ruiz', members: 1, active_members: 0 }),
    );
  });

  it('imports a complete file of rates, or nothing and reports the errors by line', async () => {
    const file = sandbox.path('rates.csv');
    const lines = ['from,to,rate,date', 'MXN,USD,0.058823,2026-03-02', 'USD,MXN,17,2026-02-30'];
    writeFileSync(file, lines.join('\n'));
    expect(await database.run(['exchange-rates', 'import', file])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Nothing was imported: the file has 1 error\n' +
        '  line 3: date must be an existing date, as YYYY-MM-DD\n',
    });
    const start = { from_currency: 'MXN', to_currency: 'USD', rate_date: '2025-01-01' };
    expect(await read('exchange-rates', 'list')).toEqual({
      rates: [{ ...start, rate: '0.050000' }],
    });
    writeFileSync(file, lines.slice(0, 2).join('\n'));
    expect(await database.print(['exchange-rates', 'import', 'rates.csv'])).toBe(
      '1 rates: 1 new or changed, 0 unchanged.\n',
    );
    expect(await database.print(['exchange-rates', 'coverage'])).toMatch(
      /^Month {4}MXN-USD\n-+ {2}-+\n2025-01 {8}1\n2025-02 {8}0\n/,
    );
  });

  it("the operators' program creates demo data: a year of cycles that pass the check, without exchange rates", async () => {
    const readRates = (): Promise<object[]> =>
      database.use((dataSource) => dataSource.query('SELECT * FROM exchange_rates ORDER BY id'));
    const rates = await readRates();
    expect(await read('demo-data', '--users', '2')).toEqual({
      users: [
        { email: 'demo@example.com', cycles: 9 },
        { email: 'demo-2@example.com', cycles: 9 },
      ],
      password: expect.any(String),
    });
    const cycles = await database.use((dataSource) =>
      dataSource.query<object[]>(`SELECT c.status, count(*)::int FROM cycles c
        JOIN users u ON u.id = c.user_id WHERE u.email = 'demo@example.com'
        GROUP BY 1 ORDER BY 1`),
    );
    expect(cycles).toEqual([
      { status: 'draft', count: 1 },
      { status: 'active', count: 1 },
      { status: 'completed', count: 7 },
    ]);
    expect(await readRates()).toEqual(rates);
    expect(await database.print(['check'])).toContain('No problems found.');
  });
});

if (ENGINE === 'server') {
  it("the operators' program lists the personal access tokens of a user and ends them in the running service at once", async () => {
    const database = await sandbox.database('server');
    const service = new Service();
    await service.start({ database: database.settings });
    try {
      const user = await service.signUp();
      const { token, ...shown } = await user.createToken({ name: 'Spreadsheet' });
      const listed = await database.print(['users', 'tokens', user.email, '--json']);
      expect(JSON.parse(listed)).toEqual([shown]);
      const table = await database.print(['users', 'tokens', user.email]);
      expect(table).toContain('Spreadsheet  read');
      expect(listed + table).not.toContain(token);
      const script = new Client(service.server, user.email, token);
      await script.get('/auth/me').expect(200);
      expect(await database.print(['users', 'revoke-tokens', user.email])).toBe(
        `Ended 1 personal access token of ${user.email}.\n`,
      );
      await script.get('/auth/me').expect(401);
      expect(await database.print(['users', 'tokens', user.email])).toBe(
        'The user has no personal access tokens.\n',
      );
    } finally {
      await service.stop();
    }
  });

  it("the operators' program keeps a user out of the running service", async () => {
    const database = await sandbox.database('server');
    const service = new Service();
    await service.start({ database: database.settings });
    try {
      const user = await service.signUp();
      await user.get('/auth/me').expect(200);
      await database.print(['users', 'deactivate', user.email]);
      await eventually('the user is refused', async () => {
        const response = await user.get('/auth/me');
        return response.status === 403;
      });
    } finally {
      await service.stop();
    }
  });
}
