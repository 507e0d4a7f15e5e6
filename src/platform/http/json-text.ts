import { BadRequestException, UnsupportedMediaTypeException } from '@nestjs/common';
import { ValidationFailedError } from '../errors/domain-error.js';
import type { FieldReason } from '../errors/field-reasons.js';

/** Levels of nested arrays and objects. */
const MAX_DEPTH = 32;

export interface JsonLimits {
  /** Members and elements in all. */
  maxValues: number;
  /** Different names of members: V8 takes seconds and 200 MB for objects with many of them. */
  maxNames: number;
}

const UNLIMITED: JsonLimits = { maxValues: Infinity, maxNames: Infinity };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Other encodings, declared or not, are refused: decoding them as UTF-8 would store replacement
 * characters.
 */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new UnsupportedMediaTypeException();
  }
}

/**
 * Parses JSON whose depth, values and names are counted in the text first: those of a small text
 * can take all the memory of the process. An empty text is an empty object.
 *
 * @throws HttpException 400 or 415; ValidationFailedError
 */
export function parseJson(bytes: Buffer, limits = UNLIMITED): unknown {
  const text = decodeUtf8(bytes);
  assertWithinLimits(bytes, limits);
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    throw new BadRequestException();
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Counts brackets, commas and colons outside strings, also of a text that is no JSON. No other
 * character of UTF-8 has these bytes.
 *
 * @throws ValidationFailedError
 */
function assertWithinLimits(bytes: Buffer, { maxValues, maxNames }: JsonLimits): void {
  let depth = 0;
  let values = 0;
  // The first value of an array or object has no comma before it.
  let isFirst = false;
  const names = new Set<string>();
  let name = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= SPACE) continue;
    if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    else if (isFirst) values += 1;
    isFirst = byte === OPENING_BRACKET || byte === OPENING_BRACE;
    if (isFirst) depth += 1;
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) names.add(name);
    name = '';
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      name = bytes.toString('latin1', at + 1, end);
      at = end;
    }
    if (depth > MAX_DEPTH) throw refused('too_deep', `be nested more than ${MAX_DEPTH} levels`);
    if (values > maxValues) throw refused('too_many', `have more than ${maxValues} values`);
    if (names.size > maxNames) {
      throw refused('too_many', `have more than ${maxNames} different names`);
    }
  }
}

/** The position of the closing quote. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const refused = (reason: FieldReason, problem: string): ValidationFailedError =>
  new ValidationFailedError({ body: [{ reason, message: `body must not ${problem}` }] });
