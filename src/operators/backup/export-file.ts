import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '../../platform/errors/domain-error.js';
import { explainUnwritable } from './unwritable-file.js';

/**
 * An export is gzipped JSON Lines: the header, rows, sequences and the end. Values are in
 * PostgreSQL's text format, so that numbers, timestamps and JSON remain exact.
 */
export type ExportLine = HeaderLine | RowLine | SequenceLine | EndLine;

export interface HeaderLine {
  format: string;
  version: number;
  /** The schema version of the rows: the name of its last migration. */
  migration: string;
  exported_at: string;
  /** The columns of each table, in the order of the rows' values. */
  tables: Record<string, string[]>;
}

export interface RowLine {
  table: string;
  row: (string | null)[];
}

/** The next value of a sequence. */
export interface SequenceLine {
  sequence: { table: string; column: string };
  next: string;
}

export interface EndLine {
  rows: Record<string, number>;
  /** Checksum of all bytes before this line. */
  sha256: string;
}

/** The file is not an export, has an unsupported version, or is damaged. */
export class ExportFileError extends OperatorError {}

export const FORMAT = 'expense-service-export';
export const FORMAT_VERSION = 1;
const NEWLINE = 0x0a;

/**
 * Creates a file, readable by its owner only, that appears under its name when it is complete.
 *
 * @throws ExportFileError when the file exists; UnwritableFileError
 */
export async function createFile(
  file: string,
  write: (target: FileHandle) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) throw new ExportFileError(`${file} already exists`);
  const unfinished = `${file}.unfinished`;
  await using target = await open(unfinished, 'w', 0o600).catch((error: unknown) => {
    throw explainUnwritable(file, error);
  });
  try {
    await write(target);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw explainUnwritable(file, error);
  }
}

/**
 * Writes an export atomically, readable by its owner only, because it contains password hashes.
 *
 * @param pages pages of lines without the end line; a page is written before the next one is
 *   requested
 * @returns the number of rows of each table
 * @throws ExportFileError when the file exists
 * @throws UnwritableFileError
 */
export async function writeExportFile(
  file: string,
  pages: AsyncIterable<Exclude<ExportLine, EndLine>[]>,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  async function* texts(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    for await (const page of pages) {
      for (const line of page) count(rows, line);
      const text = page.map((line) => `${JSON.stringify(line)}\n`).join('');
      hash.update(text);
      yield text;
    }
    const end: EndLine = { rows, sha256: hash.digest('hex') };
    yield `${JSON.stringify(end)}\n`;
  }
  await createFile(file, (target) =>
    pipeline(Readable.from(texts()), createGzip(), target.createWriteStream({ flush: true })),
  );
  return rows;
}

/**
 * Reads an export from the header to the end line. The file is verified only when it has been read
 * to the end.
 *
 * @throws ExportFileError
 */
export async function* readExportFile(file: string): AsyncGenerator<ExportLine> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let header: HeaderLine | undefined;
  let end: EndLine | undefined;
  for await (const bytes of linesOf(file)) {
    if (end) throw damaged(file, 'it has data after the end line');
    const line = parseLine(file, bytes);
    header ??= assertHeader(file, line);
    if ('sha256' in line) {
      end = line;
      if (hash.digest('hex') !== end.sha256) throw damaged(file, 'its checksum does not match');
      if (!isSame(rows, end.rows)) throw damaged(file, 'rows are missing');
    } else {
      hash.update(bytes).update('\n');
      count(rows, line);
    }
    yield line;
  }
  if (!end) throw damaged(file, 'its end line is missing');
}

/** The lines without line breaks. Node's readline would also split text at U+2028. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let parts: Buffer[] = [];
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...parts, chunk.subarray(start, at)]);
        parts = [];
        start = at + 1;
      }
      parts.push(chunk.subarray(start));
    }
  } catch (error) {
    throw isZlibError(error) ? damaged(file, error.message) : error;
  } finally {
    source.destroy();
  }
  if (parts.some(({ length }) => length > 0)) throw damaged(file, 'its last line is truncated');
}

function parseLine(file: string, bytes: Buffer): ExportLine {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null) return value as ExportLine;
  } catch {
    // Reported below.
  }
  throw damaged(file, 'it has an invalid line');
}

function assertHeader(file: string, line: ExportLine): HeaderLine {
  if (!('format' in line) || line.format !== FORMAT)
    throw new ExportFileError(`${file} is not an export of this service`);
  if (line.version !== FORMAT_VERSION) {
    throw new ExportFileError(
      `${file} has format ${line.version} of a newer version of the service; update this one first`,
    );
  }
  return line;
}

function count(rows: Record<string, number>, line: ExportLine): void {
  if ('tables' in line) for (const table of Object.keys(line.tables)) rows[table] = 0;
  if ('row' in line) rows[line.table] = (rows[line.table] ?? 0) + 1;
}

function isSame(a: Record<string, number>, b: Record<string, number> = {}): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

function isZlibError(error: unknown): error is Error {
  return (error as NodeJS.ErrnoException).code?.startsWith('Z_') ?? false;
}

function damaged(file: string, reason: string): ExportFileError {
  return new ExportFileError(`${file} is damaged or not an export: ${reason}`);
}
