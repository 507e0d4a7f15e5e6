import { TIMESTAMP_PROBLEM } from '../platform/dto/field-validators.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { parseJson, type JsonLimits } from '../platform/http/json-text.js';
import { parseTimestamp } from '../platform/values/instant.js';
import type { Section } from '../records/record-types.js';
import { DocumentProblems, problem } from './document-problems.js';
import {
  isLaterSection,
  isOmittable,
  SCHEMA_VERSIONS,
  type SchemaVersion,
} from './document-versions.js';
import { SECTIONS } from './dto/document.dto.js';

/** The rows of a document, which are not validated yet. */
export type UncheckedRows = Record<Section, unknown[]>;

export interface ParsedDocument {
  version: SchemaVersion;
  rows: UncheckedRows;
}

const MEMBERS = ['schema_version', 'exported_at', ...SECTIONS] as const;
type Member = (typeof MEMBERS)[number];

/** A document takes some hundred bytes of memory for each value. */
const LIMITS: JsonLimits = { maxValues: 500_000, maxNames: 1000 };

/** The characters of an unknown member that an error shows. */
const MAX_NAME_LENGTH = 100;

/**
 * The version and the rows of a document, whose members may have any order.
 *
 * @throws HttpException when the text is not JSON (400) in UTF-8 (415); ValidationFailedError with
 *   its wrong members, or when it exceeds {@link LIMITS} or the depth of `parseJson`
 */
export function parseDocument(text: Buffer): ParsedDocument {
  if (text.length === 0) {
    throw new ValidationFailedError(problem('body', 'required', 'is required'));
  }
  const document = parseJson(text, LIMITS);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ValidationFailedError(problem('body', 'not_an_object', 'must be a JSON object'));
  }
  const { schema_version: given } = document as { schema_version?: unknown };
  const version = SCHEMA_VERSIONS.find((known) => known === given);
  const ofVersion = MEMBERS.filter((name) => !isLaterSection(version ?? 1, name));
  const required = ofVersion.filter((name) => name in document || !isOmittable(name));
  const known = version ? ofVersion : MEMBERS;
  const problems = new DocumentProblems();
  for (const name of required) problems.add(memberProblem(name, document));
  for (const name of Object.keys(document)) {
    if (!known.some((member) => member === name)) problems.add(unknownMember(name));
  }
  problems.assertNone();
  const rows = SECTIONS.map((name) => [name, (document as Partial<UncheckedRows>)[name] ?? []]);
  return { version: version ?? 1, rows: Object.fromEntries(rows) as UncheckedRows };
}

function memberProblem(name: Member, document: Partial<Record<Member, unknown>>): FieldErrors {
  const value = document[name];
  if (value === undefined) return problem(name, 'required', 'is required');
  if (name === 'schema_version') {
    if (SCHEMA_VERSIONS.some((version) => version === value)) return {};
    return problem(name, 'not_an_option', `must be one of: ${SCHEMA_VERSIONS.join(', ')}`);
  }
  if (name === 'exported_at') {
    return parseTimestamp(value) ? {} : problem(name, 'not_a_timestamp', TIMESTAMP_PROBLEM);
  }
  return Array.isArray(value) ? {} : problem(name, 'not_an_array', 'must be an array');
}

function unknownMember(name: string): FieldErrors {
  const shown = name.slice(0, MAX_NAME_LENGTH).toWellFormed();
  const message = `property ${shown} should not exist`;
  return Object.fromEntries([[shown, [{ reason: 'unknown_field', message }]]]);
}
