import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldReason } from '../platform/errors/field-reasons.js';
import { SCHEMA_VERSION, SECTIONS, type Section } from './dto/document.dto.js';

/** A row of a section. */
export interface DocumentRow {
  section: Section;
  /** The place in the document: `expenses.17`, counted from 0. */
  path: string;
  value: unknown;
}

/** Every valid row fits, even with all its text escaped. Bounds the memory of the parser. */
const MAX_ROW_BYTES = 128 * 1024;

/** Deeper than any valid row. */
const MAX_ROW_DEPTH = 8;

/** The parser gets the text line by line, and long lines in parts, so that a syntax error has an exact place. */
const LINES = /[^\n]{1,1024}\n?|\n/g;

const MAX_NAME_LENGTH = 100;

/**
 * Reads the rows of a document one after another, in bounded memory. The members of the document must have the
 * order of an export: the version, then the sections, of which each one may refer to those before it.
 *
 * @throws ValidationFailedError with the place of the first problem of its structure
 */
export async function* readDocument(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<DocumentRow, void> {
  const document = new DocumentParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let unfinishedBytes = 0;
  for await (const chunk of file) {
    const text = decode(document, decoder, chunk);
    const rows = document.write(text);
    unfinishedBytes = rows.length > 0 ? 0 : unfinishedBytes + chunk.length;
    yield* rows;
    if (unfinishedBytes > MAX_ROW_BYTES) throw document.problem('is too long', 'too_long');
  }
  document.end();
}

function decode(
  document: DocumentParser,
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array,
): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw document.problem('is not valid UTF-8, or the text after it');
  }
}

class DocumentParser {
  private readonly parse = jsonParser({ streamValues: false });
  private readonly assembler = new Assembler();
  private state: 'start' | 'members' | 'value' | 'rows' | 'end' = 'start';
  /** The member that is being read. */
  private member = '';
  private readMembers: string[] = [];
  /** The number of complete rows of the section. */
  private rowCount = 0;
  private rows: DocumentRow[] = [];

  /** Returns the rows that the text completes. */
  write(text: string): DocumentRow[] {
    this.rows = [];
    for (const [line] of text.matchAll(LINES)) {
      for (const token of this.tokensOf(line)) this.consume(token);
    }
    return this.rows;
  }

  end(): void {
    if (this.state !== 'end')
      throw this.problem(this.state === 'start' ? 'is required' : 'is truncated');
  }

  /** An error at the place that is being read. */
  problem(problem: string, reason: FieldReason = 'malformed'): ValidationFailedError {
    return problemAt(this.path, problem, reason);
  }

  private get path(): string {
    if (this.state === 'rows') return `${this.member}.${this.rowCount}`;
    return this.state === 'value' ? this.member : 'body';
  }

  private tokensOf(line: string): readonly Token[] {
    try {
      const tokens = this.parse(line);
      return typeof tokens === 'object' ? tokens.values : [];
    } catch {
      throw this.problem('is not valid JSON, or the text after it');
    }
  }

  private consume(token: Token): void {
    switch (this.state) {
      case 'start':
        if (token.name !== 'startObject')
          throw this.problem('must be a JSON object', 'not_an_object');
        this.state = 'members';
        return;
      case 'members':
        if (token.name === 'keyValue') this.beginMember(token.value);
        else this.endDocument();
        return;
      case 'value':
        this.readValue(token);
        return;
      case 'rows':
        this.readRow(token);
        return;
      case 'end':
        // The parser rejects anything but white space.
        return;
    }
  }

  private beginMember(name: string): void {
    const members: readonly string[] = MEMBERS;
    if (!members.includes(name)) {
      const shown = name.slice(0, MAX_NAME_LENGTH).toWellFormed();
      throw new ValidationFailedError({
        [shown]: [{ reason: 'unknown_field', message: `property ${shown} should not exist` }],
      });
    }
    const expected = members[this.readMembers.length];
    if (this.readMembers.includes(name)) throw problemAt(name, 'must not be repeated', 'repeated');
    if (name !== expected)
      throw problemAt(name, `must come after ${expected ?? ''}`, 'out_of_order');
    this.member = name;
    this.readMembers.push(name);
    this.state = 'value';
  }

  private readValue(token: Token): void {
    const name = this.member as (typeof MEMBERS)[number];
    if (name === 'schema_version') {
      const isKnown = token.name === 'numberValue' && token.value === String(SCHEMA_VERSION);
      if (!isKnown) throw this.problem(`must be ${SCHEMA_VERSION}`, 'not_an_option');
      this.state = 'members';
    } else if (name === 'exported_at') {
      if (token.name !== 'stringValue') throw this.problem('must be a string', 'not_a_string');
      this.state = 'members';
    } else {
      if (token.name !== 'startArray') throw this.problem('must be an array');
      this.rowCount = 0;
      this.state = 'rows';
    }
  }

  private readRow(token: Token): void {
    if (this.assembler.done && token.name === 'endArray') {
      this.state = 'members';
      return;
    }
    this.assembler.consume(token);
    if (this.assembler.depth > MAX_ROW_DEPTH)
      throw this.problem('is nested too deeply', 'too_deep');
    if (!this.assembler.done) return;
    this.rows.push({
      section: this.member as Section,
      path: this.path,
      value: this.assembler.current,
    });
    this.rowCount += 1;
  }

  private endDocument(): void {
    const missing = MEMBERS[this.readMembers.length];
    if (missing !== undefined) throw problemAt(missing, 'is required', 'required');
    this.state = 'end';
  }
}

/** The members of a document in their order. */
const MEMBERS = ['schema_version', 'exported_at', ...SECTIONS] as const;

const problemAt = (path: string, problem: string, reason: FieldReason): ValidationFailedError =>
  new ValidationFailedError({ [path]: [{ reason, message: `${path} ${problem}` }] });
