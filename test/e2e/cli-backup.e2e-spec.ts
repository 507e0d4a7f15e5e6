import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../src/migrations/index.js';
import type { HeaderLine, RowLine, SequenceLine } from '../../src/operators/backup/export-file.js';
import { checkExportFile } from '../../src/operators/backup/restore.service.js';
import { ENGINES, useSandbox, type EngineName, type CliDatabase } from '../support/cli.js';

const sandbox = useSandbox();

/** Line ends, quotes and other characters that a wrong conversion would lose. */
const SPECIAL_TEXT = `"quoted" 'twice' \\n back\\slash\ttab\r\nlines\u2028\u2029 ñ 日本 🌮 \u0001 {}[],NULL`;

async function fill(dataSource: DataSource): Promise<void> {
  await dataSource.query(`UPDATE users SET last_name = $1, first_name = ''`, [
    SPECIAL_TEXT.slice(0, 90),
  ]);
  await dataSource.query(`UPDATE comments SET body = $1, edited_at = now()`, [
    SPECIAL_TEXT.repeat(500),
  ]);
  await dataSource.query(`INSERT INTO household_invitations (household_id, created_by, code_hash, expires_at)
    SELECT household_id, id, 'hash', '2026-12-31 23:59:59.999Z' FROM users`);
  await dataSource.query(`INSERT INTO sessions (household_id, user_id, user_agent, expires_at)
    SELECT household_id, id, 'agent', '2026-12-31 23:59:59.999Z' FROM users`);
  await dataSource.query(`INSERT INTO personal_access_tokens
      (household_id, user_id, name, access, token_hash, expires_at)
    SELECT household_id, id, 'Script', 'write', id, '2026-12-31 23:59:59.999Z' FROM users`);
  await dataSource.query(`INSERT INTO calendar_feeds (household_id, user_id, name, token_hash)
    SELECT household_id, id, 'Gastos', id FROM users`);
  await dataSource.query(
    `INSERT INTO idempotency_keys (household_id, user_id, key, request_hash, status, body, expires_at)
     SELECT household_id, id, 'key', 'hash', 201, $1, '2026-12-31 23:59:59.999Z' FROM users`,
    [SPECIAL_TEXT],
  );
  await dataSource.query(`UPDATE cycles SET remaining_balance = 1234567890123456789012.34
    WHERE status = 'draft'`);
  await dataSource.query(`UPDATE exchange_rates SET rate = 123456789012.345678`);
  // The state after the migration of an older file: no amount results from this rate, no date from a
  // weekend rule, and no template starts or ends.
  await dataSource.query(
    `UPDATE cycle_expenses SET exchange_rate = NULL, exchange_rate_date = NULL,
       occurrence_date = CASE WHEN occurrence_date IS NOT NULL THEN due_date END`,
  );
  await dataSource.query(`UPDATE expense_templates
    SET weekend_rule = 'keep', starts_on = NULL, ends_on = NULL`);
  await dataSource.query(
    `UPDATE cycle_incomes SET generated_operation_id = id, plan_unknown = true`,
  );
  // On other pages of the file than the one from which they are paid.
  await dataSource.query(`INSERT INTO payment_methods
      (household_id, user_id, name, method_type, default_currency)
    SELECT household_id, id, 'Cash ' || n, 'cash', 'USD'
    FROM users CROSS JOIN generate_series(1, 600) AS n`);
  await dataSource.query(`UPDATE payment_methods SET paid_from_id =
    (SELECT id FROM payment_methods ORDER BY seq DESC LIMIT 1)`);
  await dataSource.query(`UPDATE payment_methods SET closing_day = 12, due_days_after = 20,
      due_weekend_rule = 'after', first_closing_date = '2026-01-12', autopay = true
    WHERE method_type = 'credit'`);
  await dataSource.query(`INSERT INTO card_statements (household_id, user_id, payment_method_id,
      first_date, closing_date, due_date, stated_amount, amount, paid, paid_at, paid_amount)
    SELECT household_id, user_id, id, '2026-01-13', '2026-02-12', '2026-03-02', -1.5,
      1234567890123456789012345678.34, true, '2026-03-01 23:59:59.999Z', 0
    FROM payment_methods WHERE closing_day IS NOT NULL`);
  await dataSource.query(`INSERT INTO activity_log
      (household_id, entity_type, entity_id, actor_user_id, action, undoes, changes, created_at)
    SELECT household_id, 'cycle', id, id, 'updated', id,
      '{"n": {"from": 12345678901234567890.10, "to": [null, true, {"a b": "\\u00f1"}]}}',
      '2026-01-01 00:00:00.001Z' FROM users`);
  // A gap in the sequence, as after a rolled back transaction.
  await dataSource.query(`SELECT nextval('cycles_seq_seq'), nextval('cycles_seq_seq')`);
}

/**
 * The rows of every table in PostgreSQL's text format, and the next value of each sequence; without
 * what identifies the database and its transactions.
 */
async function contents(dataSource: DataSource): Promise<Record<string, string[]>> {
  await dataSource.query(`SET timezone TO 'UTC'`);
  const found: Record<string, string[]> = {};
  for (const { name, columns } of await dataSource.query<{ name: string; columns: string }[]>(
    `SELECT table_name AS name, string_agg(column_name, ', ' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'database_identity'
       AND column_name <> 'transaction_id'
     GROUP BY 1 ORDER BY 1`,
  )) {
    const compared = name === 'migrations' ? 'name' : columns;
    const rows = await dataSource.query<{ row: string }[]>(
      `SELECT ROW(${compared})::text AS row FROM ${name} ORDER BY 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  for (const { name } of await dataSource.query<{ name: string }[]>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'
     AND sequencename <> 'migrations_id_seq' ORDER BY 1`,
  )) {
    const [{ next } = { next: '' }] = await dataSource.query<{ next: string }[]>(
      `SELECT (last_value + is_called::int)::text AS next FROM ${name}`,
    );
    found[name] = [next];
  }
  return found;
}

/** Writes an export file of these lines, with the matching last line. */
function writeLines(name: string, lines: readonly string[], rows: unknown): string {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(sandbox.path(name), gzipSync(`${text}${JSON.stringify({ rows, sha256 })}\n`));
  return name;
}

/** Tables and columns that later migrations than the first two add. */
const LATER_TABLES = [
  'balances',
  'budgets',
  'calendar_feeds',
  'card_statements',
  'comments',
  'cycle_incomes',
  'idempotency_keys',
  'income_templates',
  'personal_access_tokens',
  'sessions',
];
const LATER_COLUMNS: Record<string, string[]> = {
  users: [
    ...['password_changed_at', 'time_zone', 'minimum_balance', 'next_income_amount'],
    ...['reminders_enabled', 'reminders_hour', 'reminders_days_before', 'reminders_confirmed'],
    ...['reminder_links', 'reminder_links_since', 'reminded_on', 'reminded_below_zero'],
  ],
  payment_methods: [
    ...['household_id', 'closing_day', 'due_day', 'due_days_after', 'due_weekend_rule'],
    ...['first_closing_date', 'autopay', 'paid_from_id'],
  ],
  expense_templates: [
    ...['starts_on', 'ends_on', 'weekend_rule', 'household_id', 'budget_id'],
    ...['amount_changes', 'last_amount', 'skipped_dates'],
  ],
  cycles: ['household_id', 'budget_limits', 'side'],
  cycle_expenses: [
    ...['occurrence_date', 'generated', 'exchange_rate', 'exchange_rate_date'],
    ...['generated_operation_id', 'plan_unknown', 'household_id', 'budget_id', 'instalment'],
  ],
  activity_log: ['undoes', 'operation_id'],
};

/** Removes what later migrations add from the lines, the header and the counts of an export. */
function withoutLaterTables(
  lines: readonly string[],
  header: HeaderLine,
  rows: Record<string, number>,
): string[] {
  const columns = { ...header.tables };
  for (const table of LATER_TABLES) {
    Reflect.deleteProperty(header.tables, table);
    Reflect.deleteProperty(rows, table);
  }
  const isKept = (table: string, column?: string): boolean =>
    !(LATER_COLUMNS[table] ?? []).includes(column ?? '');
  for (const [table, names] of Object.entries(header.tables)) {
    header.tables[table] = names.filter((name) => isKept(table, name));
  }
  return lines
    .map((line) => JSON.parse(line) as RowLine | SequenceLine)
    .filter((line) => {
      const table = 'table' in line ? line.table : line.sequence.table;
      return !LATER_TABLES.includes(table);
    })
    .map((line) => {
      if (!('table' in line)) return JSON.stringify(line);
      const { table, row } = line;
      const kept = row.filter((_value, index) => isKept(table, columns[table]?.[index]));
      return JSON.stringify({ table, row: kept });
    });
}

describe.each(ENGINES)('an export from the %s engine', (from) => {
  const file = `from-${from}.jsonl.gz`;
  let source: CliDatabase;
  let exported: Record<string, string[]>;

  beforeAll(async () => {
    source = await sandbox.database(from);
    await source.print(['demo-data']);
    exported = await source.use(async (dataSource) => {
      await fill(dataSource);
      return contents(dataSource);
    });
    await source.print(['export', file]);
  });

  it('an export is readable by its owner alone, and leaves no temporary file', () => {
    expect(statSync(sandbox.path(file)).mode & 0o777).toBe(0o600);
    expect(existsSync(sandbox.path(`${file}.unfinished`))).toBe(false);
  });

  it('an export has every table but that of reset tokens, which are valid for hours', () => {
    const [header = ''] = gunzipSync(readFileSync(sandbox.path(file)))
      .toString()
      .split('\n');
    const { tables } = JSON.parse(header) as HeaderLine;
    const omitted = ['migrations', 'password_reset_tokens'];
    const named = Object.keys(exported).filter(
      (name) => !omitted.includes(name) && !name.endsWith('_seq'),
    );
    expect(Object.keys(tables).sort()).toEqual(named);
  });

  it('an export does not overwrite another file', async () => {
    const before = readFileSync(sandbox.path(file));
    const { code, stderr } = await source.run(['export', file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${file} already exists\n` });
    expect(readFileSync(sandbox.path(file)).equals(before)).toBe(true);
  });

  it.each([
    // Neither as root nor as another user.
    ['/sys/backup.gz', 'name one in a folder that the user of this command is allowed to write to'],
    ['missing/backup.gz', 'create its folder, or name another one'],
    [`${file}/backup.gz`, 'create its folder, or name another one'],
  ])('an export to %s says that it cannot be written, and what to do', async (to, advice) => {
    const { stderr, ...result } = await source.run(['export', to]);
    expect(result).toEqual({ code: 1, stdout: '' });
    expect(stderr.replace(/E[A-Z]+/, 'CODE')).toBe(`${to} cannot be written (CODE): ${advice}\n`);
  });

  it.each(ENGINES)('an export is restored completely to the %s engine', async (to: EngineName) => {
    const target = await sandbox.database(to);
    const printed = await target.print(['restore', file, '--json']);
    const { rows } = JSON.parse(printed) as { rows: Record<string, number> };
    for (const [table, count] of Object.entries(rows)) expect(exported[table]).toHaveLength(count);
    expect(await target.use(contents)).toEqual(exported);

    // The database is in use from here on.
    const again = await target.run(['restore', file]);
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is not empty: activity_log has rows. Restore into a new database\n',
    });
    await target.print(['users', 'create', 'new@example.com', '--generate-password']);
  });

  it('an export is restored into the schema of its version, which is then migrated', async () => {
    const [header = '', ...lines] = gunzipSync(readFileSync(sandbox.path(file)))
      .toString()
      .trim()
      .split('\n');
    const { rows } = JSON.parse(lines.pop() ?? '') as { rows: Record<string, number> };
    const older = JSON.parse(header) as HeaderLine;
    expect(older.migration).toBe(MIGRATIONS.at(-1)?.name);
    // As an older version of the service wrote it.
    older.migration = 'HouseholdInvitations1795210000000';
    const kept = withoutLaterTables(lines, older, rows);
    const name = `older-${file}`;
    writeLines(name, [JSON.stringify(older), ...kept], rows);

    const target = await sandbox.database(from);
    await target.print(['restore', name]);
    expect(await target.use(contents)).toEqual({
      ...exported,
      // The last columns are `time_zone`, those of plans and those of reminders, which the older
      // version did not have.
      users: exported.users?.map((row) =>
        row.replace(/(,[^,]*){11}\)$/, ',UTC,0.00,same,f,8,3,f,0,,,f)'),
      ),
      // The last columns are those of cards, which the older version did not have.
      payment_methods: exported.payment_methods?.map((row) =>
        row.replace(/(,[^,]*){7}\)$/, ',,,,keep,,f,)'),
      ),
      // The last columns are `undoes` and `operation_id`, which the older version did not have.
      activity_log: exported.activity_log?.map((row) =>
        row.replace(/,[\da-f-]*,[\da-f-]*\)$/, ',,)'),
      ),
      // The last columns are `budget_limits` and `side`, or `budget_id`, which the older version did
      // not have, but for what is generated.
      cycles: exported.cycles?.map((row) => row.replace(/,("\[.*\]"|\[\]),[tf]\)$/, ',[],f)')),
      // Before those of amounts, and before what is generated and the instalment.
      expense_templates: exported.expense_templates?.map((row) =>
        row.replace(/,[\da-f-]*,("\[.*\]"|\[\]),[\d.]*,("\[.*\]"|\[\])\)$/, ',,[],,[])'),
      ),
      cycle_expenses: exported.cycle_expenses?.map((row) =>
        row.replace(/,[\da-f-]*(,("([^"]|"")*"|[^",]*),)("\{([^"]|"")*\}")?\)$/, ',$1)'),
      ),
      ...Object.fromEntries(LATER_TABLES.map((table) => [table, []])),
      ...Object.fromEntries(
        LATER_TABLES.filter((table) => table !== 'idempotency_keys').map((table) => [
          `${table}_seq_seq`,
          ['1'],
        ]),
      ),
    });
  });
});

describe('a corrupt file', () => {
  let target: CliDatabase;
  let before: Record<string, string[]>;
  let bytes: Buffer;
  let lines: string[];

  beforeAll(async () => {
    const source = await sandbox.database('embedded');
    await source.print(['users', 'create', 'ana@example.com', '--generate-password']);
    await source.use((database) =>
      database.query(
        `INSERT INTO payment_methods (household_id, user_id, name, method_type, default_currency)
         SELECT household_id, id, 'Nu', 'debit', 'USD' FROM users`,
      ),
    );
    await source.print(['export', 'valid.jsonl.gz']);
    bytes = readFileSync(sandbox.path('valid.jsonl.gz'));
    lines = gunzipSync(bytes).toString().trim().split('\n');
    target = await sandbox.database('embedded');
    before = await target.use(contents);
  });

  const altered = (change: (text: string) => string): Buffer =>
    gzipSync(change(gunzipSync(bytes).toString()));
  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  it('a corrupt file is refused with its name and changes nothing', async () => {
    const header = JSON.parse(lines[0] ?? '') as HeaderLine;
    const withHeader = (changed: object): Buffer =>
      altered((text) => text.replace(/.*/, JSON.stringify({ ...header, ...changed })));
    const cases: [string, Buffer, RegExp][] = [
      ['empty', Buffer.alloc(0), /is damaged or not an export/],
      ['text', Buffer.from('not gzipped'), /is damaged or not an export/],
      ['other', gzipSync('{"some": "json"}\n'), /is not an export of this service/],
      ['cut-half', bytes.subarray(0, bytes.length / 2), /is damaged or not an export/],
      ['cut-a-byte', bytes.subarray(0, -1), /is damaged or not an export/],
      ['flipped', flipped(Math.floor(bytes.length / 2)), /is damaged or not an export/],
      ['no-end', altered((text) => text.replace(/.*\n$/, '')), /its end line is missing/],
      ['cut-line', altered((text) => text.slice(0, -9)), /its last line is truncated/],
      ['less', altered((text) => text.replace(/\{"table":"users".*\n/, '')), /its checksum/],
      ['edited', altered((text) => text.replace('ana@', 'eva@')), /its checksum/],
      ['miscounted', altered((text) => text.replace('"users":1', '"users":2')), /rows are missing/],
      ['appended', altered((text) => `${text}{}\n`), /it has data after the end line/],
      ['newer-format', withHeader({ version: 2 }), /newer version of the service; update/],
      ['newer-schema', withHeader({ migration: 'Later1900000000000' }), /\(Later1900000000000\)/],
    ];
    for (const [name, content, message] of cases) {
      const path = sandbox.path(name);
      writeFileSync(path, content);
      const outcome = checkExportFile(path).then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      expect([name, await outcome]).toEqual([name, expect.stringMatching(message)]);
    }
    const { code, stdout, stderr } = await target.run(['restore', 'edited']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'edited is damaged or not an export: its checksum does not match\n',
    });
    expect(await target.use(contents)).toEqual(before);
  });

  it('changes nothing if only the database detects the error', async () => {
    const rows = (JSON.parse(lines.at(-1) ?? '') as { rows: unknown }).rows;
    const invalid = lines.slice(0, -1).map((line) => line.replace('"ana@example.com"', 'null'));
    writeLines('null.jsonl.gz', invalid, rows);
    const { code, stderr } = await target.run(['restore', 'null.jsonl.gz']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('null value') });

    const orphaned = lines
      .slice(0, -1)
      .map((line) =>
        line.startsWith('{"table":"payment_methods"')
          ? line.replace(/[0-9a-f-]{36}/g, () => randomUUID())
          : line,
      );
    writeLines('orphans.jsonl.gz', orphaned, rows);
    const orphans = await target.run(['restore', 'orphans.jsonl.gz']);
    expect(orphans.stderr).toContain('violates foreign key constraint');

    const unknown = lines.slice(0, -1).map((line) => line.replace('"locale"', '"language"'));
    writeLines('columns.jsonl.gz', unknown, rows);
    const other = await target.run(['restore', 'columns.jsonl.gz']);
    expect(other.stderr).toBe(
      'The tables of the file and the database differ: users.language (file), users.locale (database)\n',
    );
    expect(await target.use(contents)).toEqual(before);

    await target.print(['restore', 'valid.jsonl.gz']);
  });
});
