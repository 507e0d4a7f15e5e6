import fc from 'fast-check';
import { VALID_BODIES, VALID_FILES } from '../support/sample-entities.js';
import { COMPONENTS, type Operation } from './operations.js';
import { braces, extraMembers, resolved, validJson, invalidJson, type Schema } from './schemas.js';
import { nastyJson, nastyTexts } from './values.js';

export const FORM = 'application/x-www-form-urlencoded';
export const CSV = 'text/csv';

/** Cells that are invalid, or change the structure of the file. */
const nastyCells = fc.oneof(
  nastyTexts,
  fc.constantFrom('', '"', '""', '"a', 'a"b', ',', '\n', '\r', "'=1", '=1', '__proto__', '1e9'),
);

type Members = [key: string, json: string][];

/** The text of a body: in most of them at most one field is invalid. */
export function bodies(operation: Operation): fc.Arbitrary<string> {
  const { type, schema } = operation.body ?? { type: '', schema: {} };
  if (type === CSV) return files(VALID_FILES[operation.name] ?? '');
  const members = bodyMembers(resolved(schema, COMPONENTS), VALID_BODIES[operation.name] ?? {});
  return fc.oneof(
    { weight: 12, arbitrary: members.map(type === FORM ? asForm : braces) },
    { weight: 1, arbitrary: nastyJson },
    { weight: 1, arbitrary: members.map((all) => braces(all).slice(0, -1)) },
  );
}

/** A valid file in which some cells are replaced. */
function files(valid: string): fc.Arbitrary<string> {
  const cells = valid.split(/(?<=[,\n])/);
  const changes = fc.array(fc.tuple(fc.nat({ max: cells.length - 1 }), nastyCells), {
    maxLength: 2,
  });
  const changed = changes.map((all) => {
    const copy = [...cells];
    for (const [at, cell] of all) copy[at] = `${cell.toWellFormed()}${copy[at]?.at(-1) ?? ''}`;
    return copy.join('');
  });
  return fc.oneof({ weight: 8, arbitrary: changed }, { weight: 1, arbitrary: nastyTexts });
}

/** @param right - values that are taken, where some must fit together */
function bodyMembers(schema: Schema, right: object): fc.Arbitrary<Members> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const few = { weight: 3, arbitrary: fc.subarray(names, { maxLength: 1 }) };
  return fc
    .tuple(
      fc.oneof(few, { weight: 1, arbitrary: fc.subarray(names) }),
      fc.integer({ max: 5, min: 0 }),
    )
    .chain(([wrong, chance]) => {
      const fields = Object.entries(properties).map(
        ([name, field]): [string, fc.Arbitrary<string>] => [
          name,
          wrong.includes(name) ? invalidJson(field, COMPONENTS) : usualJson(name, field, right),
        ],
      );
      return fc.record(Object.fromEntries(fields), {
        requiredKeys: chance === 5 ? [] : required,
      });
    })
    .map((values) => Object.entries<string>(values))
    .chain((members) => fc.oneof({ weight: 5, arbitrary: fc.constant(members) }, more(members)));
}

function usualJson(name: string, schema: Schema, right: object): fc.Arbitrary<string> {
  const fromSchema = validJson(schema, COMPONENTS);
  if (!(name in right)) return fromSchema;
  const usual = fc.constant(JSON.stringify(right[name as keyof typeof right]));
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: fromSchema });
}

/** Adds unknown or duplicate fields. */
function more(members: Members): fc.Arbitrary<Members> {
  return fc.oneof(
    extraMembers.map((extra) => [...members, ...extra]),
    fc.shuffledSubarray(members).map((again): Members => [...members, ...again]),
  );
}

const asForm = (members: Members): string =>
  members
    .map(([name, json]) => `${encoded(name)}=${encoded(json.replace(/^"(.*)"$/s, '$1'))}`)
    .join('&');

/** Percent-encodes text, lone surrogates too. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
