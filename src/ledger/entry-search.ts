/** The search of the entries of one kind, expenses or incomes, in all cycles of a user. */
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Scope } from '../platform/database/database.js';
import { query } from '../platform/database/query.js';
import type { PageQuery } from '../platform/dto/page.js';
import type { CalendarDate } from '../platform/values/calendar-date.js';
import type { EntrySearchQuery } from './dto/entry-search.dto.js';
import { summaryColumnSql, withoutSummary, type ListRow } from './list-rows.js';

/** The SQL of a kind of entries. */
interface SearchedKind {
  table: 'cycle_expenses' | 'cycle_incomes';
  /** The name of an entry in the SQL. */
  alias: 'e' | 'i';
  /** The column of the day by which the list is sorted. */
  date: 'due_date' | 'income_date';
  /** Those of the response. */
  columns: Sql;
  /** The tables of `columns` other than that of the entries. */
  joins: Sql;
  /** Whether an entry has the values of the filters that its kind alone has. */
  matches: Sql;
  totals: Sql;
  /** The columns that `totals` reads. */
  totalled: Sql;
}

interface Filter extends Omit<EntrySearchQuery, keyof PageQuery> {
  /** The first and the last day. */
  from?: CalendarDate;
  to?: CalendarDate;
}

interface Page<Entry, Summary> {
  entries: Omit<Entry & { id: string }, 'summary'>[];
  summary: Summary;
}

/** White space but the space, in PostgreSQL's regular expressions, whose `\s` depends on the locale. */
const WHITE_SPACE = raw(
  String.raw`\u0009-\u000d\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`,
);

/**
 * SQL: a text without the case and the accents of letters, with `ss` for `ß` and one space for white
 * space; `translate` has letters that are not composed of others. The generated column
 * `folded_description` has the description in this form.
 */
const foldedSql = (text: string | undefined): Sql => sql`
  lower(replace(replace(translate(regexp_replace(
    regexp_replace(normalize(${text}::text, NFD), '[\\u0300-\\u036f]', '', 'g'),
    '[${WHITE_SPACE}]|[ ${WHITE_SPACE}]{2,}', ' ', 'g'),
    'ØøŁłĐđĦħ', 'OoLlDdHh'), 'ß', 'ss'), 'ẞ', 'ss'))`;

/**
 * A page of the entries of all cycles by day, then creation, each with its cycle, and the totals of
 * all pages. The text is folded once and not for each row; the columns of the page alone are read
 * and sorted.
 */
export async function searchEntries<Entry extends { id: string }, Summary>(
  { manager, userId, householdId }: Scope,
  { columns, joins, matches, totals, totalled, ...names }: SearchedKind,
  { from, to, template_id: templateId, q: text, open_cycles: openCycles }: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Entry, Summary>> {
  const table = raw(names.table);
  const entry = raw(names.alias);
  const date = sql`${entry}.${raw(names.date)}`;
  const order = sql`${date}, ${entry}.seq`;
  // An empty page is a single row without an entry.
  const rows = await query<ListRow<Entry, Summary>>(
    manager,
    sql`
      WITH matching AS (
        SELECT ${entry}.id, ${date}, ${entry}.seq, ${entry}.active, ${totalled}
        FROM cycles c
        JOIN ${table} ${entry} ON ${entry}.household_id = ${householdId}
          AND ${entry}.cycle_id = c.id AND ${entry}.active AND ${matches}
        WHERE c.household_id = ${householdId} AND c.user_id = ${userId} AND c.active
          AND (${openCycles}::boolean IS NULL OR (c.status <> 'completed') = ${openCycles})
          AND (${from}::date IS NULL OR ${date} >= ${from})
          AND (${to}::date IS NULL OR ${date} <= ${to})
          AND (${templateId}::uuid IS NULL OR ${entry}.template_id = ${templateId})
          AND (${text}::text IS NULL
            OR strpos(${entry}.folded_description, (SELECT nullif(${foldedSql(text)}, ''))) > 0)
      ), page AS (
        SELECT id FROM matching AS ${entry} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
      )
      SELECT ${summaryColumnSql(sql`t.summary`, order)}, ${columns},
        json_build_object('id', c.id, 'name', c.name, 'status', c.status) AS cycle
      FROM (SELECT ${totals} AS summary FROM matching AS ${entry}) AS t
      LEFT JOIN (
        page JOIN ${table} ${entry} ON ${entry}.household_id = ${householdId}
          AND ${entry}.id = page.id
        JOIN cycles c ON c.household_id = ${householdId} AND c.id = ${entry}.cycle_id
        ${joins}
      ) ON true
      ORDER BY ${order}`,
  );
  const summary = rows[0]?.summary;
  if (!summary) throw new Error('The totals are missing');
  return { entries: rows.filter((row) => row.id !== null).map(withoutSummary), summary };
}
