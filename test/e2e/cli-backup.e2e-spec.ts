import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import type { HeaderLine } from '../../src/backup/export-file.js';
import { checkExportFile } from '../../src/backup/restore.service.js';
import { migrations } from '../../src/database/migrations/index.js';
import { ENGINES, useWorkshop, type EngineName, type OperatedDatabase } from '../support/cli.js';

const workshop = useWorkshop();

/** What gets lost first: numbers past a double, JSON with such, line ends and signs of all kinds. */
const ODD_TEXT = `"quoted" 'twice' \\n back\\slash\ttab\r\nlines\u2028\u2029 ñ 日本 🌮 \u0001 {}[],NULL`;

async function fill(dataSource: DataSource): Promise<void> {
  await dataSource.query(`UPDATE users SET last_name = $1, first_name = ''`, [
    ODD_TEXT.slice(0, 90),
  ]);
  await dataSource.query(`UPDATE comments SET body = $1, edited_at = now()`, [
    ODD_TEXT.repeat(500),
  ]);
  await dataSource.query(`INSERT INTO household_invitations (household_id, created_by, code_hash, expires_at)
    SELECT household_id, id, 'hash', '2026-12-31 23:59:59.999Z' FROM users`);
  await dataSource.query(`UPDATE cycles SET remaining_balance = 1234567890123456789012.34
    WHERE status = 'draft'`);
  await dataSource.query(`UPDATE exchange_rates SET rate = 123456789012.345678`);
  await dataSource.query(`INSERT INTO activity_log
      (household_id, entity_type, entity_id, actor_user_id, action, changes, created_at)
    SELECT household_id, 'cycle', id, id, 'updated',
      '{"n": {"from": 12345678901234567890.10, "to": [null, true, {"a b": "\\u00f1"}]}}',
      '2026-01-01 00:00:00.001Z' FROM users`);
  // A gap at the end of the numbers, as a transaction that was undone leaves it.
  await dataSource.query(`SELECT nextval('cycles_seq_seq'), nextval('cycles_seq_seq')`);
}

/** Every table, row by row in PostgreSQL's own text, and what each sequence gives next. */
async function contents(dataSource: DataSource): Promise<Record<string, string[]>> {
  await dataSource.query(`SET timezone TO 'UTC'`);
  const found: Record<string, string[]> = {};
  for (const { name } of await dataSource.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' ORDER BY 1`,
  )) {
    const columns = name === 'migrations' ? 't.name' : 't::text';
    const rows = await dataSource.query<{ row: string }[]>(
      `SELECT ${columns} AS row FROM ${name} t ORDER BY 1`,
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

/** A file of the given lines with the end that fits them. */
function writeLines(name: string, lines: readonly string[], rows: unknown): string {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(workshop.path(name), gzipSync(`${text}${JSON.stringify({ rows, sha256 })}\n`));
  return name;
}

describe.each(ENGINES)('an export from the %s engine', (from) => {
  const file = `from-${from}.jsonl.gz`;
  let source: OperatedDatabase;
  let exported: Record<string, string[]>;

  beforeAll(async () => {
    source = await workshop.database(from);
    await source.print(['demo-data']);
    exported = await source.use(async (dataSource) => {
      await fill(dataSource);
      return contents(dataSource);
    });
    await source.print(['export', file]);
  });

  it('is for its owner alone, and leaves nothing unfinished behind', () => {
    expect(statSync(workshop.path(file)).mode & 0o777).toBe(0o600);
    expect(existsSync(workshop.path(`${file}.unfinished`))).toBe(false);
  });

  it('has every table', () => {
    const [header = ''] = gunzipSync(readFileSync(workshop.path(file)))
      .toString()
      .split('\n');
    const { tables } = JSON.parse(header) as HeaderLine;
    const named = Object.keys(exported).filter(
      (name) => name !== 'migrations' && !name.endsWith('_seq'),
    );
    expect(Object.keys(tables).sort()).toEqual(named);
  });

  it('does not take the place of another file', async () => {
    const before = readFileSync(workshop.path(file));
    const { code, stderr } = await source.run(['export', file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${file} exists already\n` });
    expect(readFileSync(workshop.path(file)).equals(before)).toBe(true);
  });

  it.each(ENGINES)('is restored to the %s engine with nothing lost', async (to: EngineName) => {
    const target = await workshop.database(to);
    const printed = await target.print(['restore', file, '--json']);
    const { rows } = JSON.parse(printed) as { rows: Record<string, number> };
    for (const [table, count] of Object.entries(rows)) expect(exported[table]).toHaveLength(count);
    expect(await target.use(contents)).toEqual(exported);

    // In use from now on.
    const again = await target.run(['restore', file]);
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is not new: activity_log has rows. Restore into a new one\n',
    });
    await target.print(['users', 'create', 'new@example.com', '--generate-password']);
  });

  it('is restored into the schema of its time, which is then migrated', async () => {
    const [header = '', ...lines] = gunzipSync(readFileSync(workshop.path(file)))
      .toString()
      .trim()
      .split('\n');
    const { rows } = JSON.parse(lines.pop() ?? '') as { rows: Record<string, number> };
    const older = JSON.parse(header) as HeaderLine;
    expect(older.migration).toBe(migrations.at(-1)?.name);
    // As the service wrote it when it had no comments.
    older.migration = 'HouseholdInvitations1795210000000';
    delete older.tables.comments;
    delete rows.comments;
    const kept = lines.filter(
      (line) => !/^\{"(table|sequence)":(\{"table":)?"comments"/.test(line),
    );
    const name = `older-${file}`;
    writeLines(name, [JSON.stringify(older), ...kept], rows);

    const target = await workshop.database(from);
    await target.print(['restore', name]);
    expect(await target.use(contents)).toEqual({
      ...exported,
      comments: [],
      comments_seq_seq: ['1'],
    });
  });
});

describe('a file that is not as it was written', () => {
  let target: OperatedDatabase;
  let before: Record<string, string[]>;
  let bytes: Buffer;
  let lines: string[];

  beforeAll(async () => {
    const source = await workshop.database('embedded');
    await source.print(['users', 'create', 'ana@example.com', '--generate-password']);
    await source.use((database) =>
      database.query(
        `INSERT INTO payment_methods (user_id, name, method_type, default_currency)
         SELECT id, 'Nu', 'debit', 'USD' FROM users`,
      ),
    );
    await source.print(['export', 'whole.jsonl.gz']);
    bytes = readFileSync(workshop.path('whole.jsonl.gz'));
    lines = gunzipSync(bytes).toString().trim().split('\n');
    target = await workshop.database('embedded');
    before = await target.use(contents);
  });

  const altered = (change: (text: string) => string): Buffer =>
    gzipSync(change(gunzipSync(bytes).toString()));
  const flipped = (at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  it('changes nothing and is named', async () => {
    const header = JSON.parse(lines[0] ?? '') as HeaderLine;
    const withHeader = (changed: object): Buffer =>
      altered((text) => text.replace(/.*/, JSON.stringify({ ...header, ...changed })));
    const cases: [string, Buffer, RegExp][] = [
      ['empty', Buffer.alloc(0), /is damaged or no export/],
      ['text', Buffer.from('not gzipped'), /is damaged or no export/],
      ['other', gzipSync('{"some": "json"}\n'), /is no export of this service/],
      ['cut-half', bytes.subarray(0, bytes.length / 2), /is damaged or no export/],
      ['cut-a-byte', bytes.subarray(0, -1), /is damaged or no export/],
      ['flipped', flipped(Math.floor(bytes.length / 2)), /is damaged or no export/],
      ['no-end', altered((text) => text.replace(/.*\n$/, '')), /its end is missing/],
      ['cut-line', altered((text) => text.slice(0, -9)), /its last line is cut short/],
      ['less', altered((text) => text.replace(/\{"table":"users".*\n/, '')), /its checksum/],
      ['edited', altered((text) => text.replace('ana@', 'eva@')), /its checksum/],
      ['miscounted', altered((text) => text.replace('"users":1', '"users":2')), /rows are missing/],
      ['appended', altered((text) => `${text}{}\n`), /something follows its end/],
      ['newer-format', withHeader({ version: 2 }), /newer version of the service; update/],
      ['newer-schema', withHeader({ migration: 'Later1900000000000' }), /\(Later1900000000000\)/],
    ];
    for (const [name, content, message] of cases) {
      const path = workshop.path(name);
      writeFileSync(path, content);
      const outcome = checkExportFile(path).then(
        () => 'taken',
        (error: unknown) => String(error),
      );
      expect([name, await outcome]).toEqual([name, expect.stringMatching(message)]);
    }
    const { code, stdout, stderr } = await target.run(['restore', 'edited']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'edited is damaged or no export: its checksum is another\n',
    });
    expect(await target.use(contents)).toEqual(before);
  });

  it('changes nothing even where only the database can tell', async () => {
    const rows = (JSON.parse(lines.at(-1) ?? '') as { rows: unknown }).rows;
    const strange = lines.slice(0, -1).map((line) => line.replace('"ana@example.com"', 'null'));
    writeLines('null.jsonl.gz', strange, rows);
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
      'Only one of file and database has users.language (file), users.locale (database)\n',
    );
    expect(await target.use(contents)).toEqual(before);

    await target.print(['restore', 'whole.jsonl.gz']);
  });
});
