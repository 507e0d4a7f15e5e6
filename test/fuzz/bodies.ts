import fc from 'fast-check';
import { VALID_BODIES, VALID_FILES } from '../support/sample-entities.js';
import { COMPONENTS, type Operation } from './operations.js';
import {
  objectText,
  extraMembers,
  resolved,
  validJson,
  invalidJson,
  type Schema,
} from './schemas.js';
import { hostileJson, hostileTexts } from './values.js';

export const FORM = 'application/x-www-form-urlencoded';
export const CSV = 'text/csv';

/** Cells that are invalid, or change the structure of the file. */
const hostileCells = fc.oneof(
  hostileTexts,
  fc.constantFrom('', '"', '""', '"a', 'a"b', ',', '\n', '\r', "'=1", '=1', '__proto__', '1e9'),
);

type Members = [key: string, json: string][];

/** Texts of bodies, most of them with at most one invalid field. */
export function bodies(operation: Operation): fc.Arbitrary<string> {
  const { type, schema } = operation.body ?? { type: '', schema: {} };
  if (type === CSV) return files(VALID_FILES[operation.name] ?? '');
  const members = bodyMembers(resolved(schema, COMPONENTS), VALID_BODIES[operation.name] ?? {});
  return fc.oneof(
    { weight: 12, arbitrary: members.map(type === FORM ? asForm : objectText) },
    { weight: 1, arbitrary: hostileJson },
    { weight: 1, arbitrary: members.map((all) => objectText(all).slice(0, -1)) },
  );
}

/** A valid file in which some cells are replaced. */
function files(valid: string): fc.Arbitrary<string> {
  const cells = valid.split(/(?<=[,\n])/);
  const changes = fc.array(fc.tuple(fc.nat({ max: cells.length - 1 }), hostileCells), {
    maxLength: 2,
  });
  const changed = changes.map((all) => {
    const copy = [...cells];
    for (const [at, cell] of all) copy[at] = `${cell.toWellFormed()}${copy[at]?.at(-1) ?? ''}`;
    return copy.join('');
  });
  return fc.oneof({ weight: 8, arbitrary: changed }, { weight: 1, arbitrary: hostileTexts });
}

/** @param validBody - valid values of fields that must be consistent with each other */
function bodyMembers(schema: Schema, validBody: object): fc.Arbitrary<Members> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const few = { weight: 3, arbitrary: fc.subarray(names, { maxLength: 1 }) };
  return fc
    .tuple(
      fc.oneof(few, { weight: 1, arbitrary: fc.subarray(names) }),
      fc.integer({ max: 5, min: 0 }),
    )
    .chain(([invalidNames, requiredness]) => {
      const fields = Object.entries(properties).map(
        ([name, field]): [string, fc.Arbitrary<string>] => [
          name,
          invalidNames.includes(name)
            ? invalidJson(field, COMPONENTS)
            : mostlyValidJson(name, field, validBody),
        ],
      );
      return fc.record(Object.fromEntries(fields), {
        requiredKeys: requiredness === 5 ? [] : required,
      });
    })
    .map((values) => Object.entries<string>(values))
    .chain((members) =>
      fc.oneof({ weight: 5, arbitrary: fc.constant(members) }, withExtraFields(members)),
    );
}

function mostlyValidJson(name: string, schema: Schema, validBody: object): fc.Arbitrary<string> {
  const fromSchema = validJson(schema, COMPONENTS);
  if (!(name in validBody)) return fromSchema;
  const validValue = fc.constant(JSON.stringify(validBody[name as keyof typeof validBody]));
  return fc.oneof({ weight: 3, arbitrary: validValue }, { weight: 1, arbitrary: fromSchema });
}

/** Adds unknown or duplicate fields. */
function withExtraFields(members: Members): fc.Arbitrary<Members> {
  return fc.oneof(
    extraMembers.map((extra) => [...members, ...extra]),
    fc.shuffledSubarray(members).map((again): Members => [...members, ...again]),
  );
}

const asForm = (members: Members): string =>
  members
    .map(
      ([name, json]) =>
        `${percentEncoded(name)}=${percentEncoded(json.replace(/^"(.*)"$/s, '$1'))}`,
    )
    .join('&');

/** Percent-encodes text, lone surrogates too. */
export const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());
