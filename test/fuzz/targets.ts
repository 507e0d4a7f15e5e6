import fc from 'fast-check';
import { UNKNOWN_UUID } from '../support/sample-entities.js';
import { percentEncoded } from './bodies.js';
import { COMPONENTS, type Operation, type Parameter } from './operations.js';
import { ID_PLACEHOLDER, validJson } from './schemas.js';
import { hostileTexts } from './values.js';

const BROKEN_ENCODINGS = ['%', '%0', '%zz', '%E0%A4%A', '%ff', '%00', '%ed%a0%80', '%2f', '%2e%2e'];

/** Longer text is cut, because the request line has a maximum length. */
const encodedTexts = hostileTexts.map((text) => percentEncoded(text.slice(0, 3000)));

const parametersIn = (operation: Operation, place: string): Parameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place);

/** Mostly ids as path parameters, sometimes other values. */
export function paths(operation: Operation): fc.Arbitrary<string> {
  const { path } = operation;
  const names = parametersIn(operation, 'path').map(({ name }) => name);
  if (names.length === 0) return fc.constant(path);
  const invalidPath = fc
    .tuple(
      fc.constantFrom(...names),
      fc.oneof(fc.constantFrom(UNKNOWN_UUID, ID_PLACEHOLDER, ...BROKEN_ENCODINGS), encodedTexts),
    )
    .map(([name, value]) => path.replace(`{${name}}`, () => value));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: invalidPath },
  );
}

export function queries(operation: Operation): fc.Arbitrary<string> {
  const parts = parametersIn(operation, 'query').map(queryParts);
  const unusual = fc.constantFrom(
    '',
    'a[b]=c',
    '__proto__[x]=1',
    '%=1',
    '=',
    '&',
    'constructor=1',
    '[]',
  );
  return fc
    .tuple(...parts, fc.oneof({ weight: 5, arbitrary: fc.constant('') }, unusual))
    .map((all) => all.filter((part) => part !== ''))
    .map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}

/** A query parameter: omitted, valid or invalid. */
function queryParts({ name, schema }: Parameter): fc.Arbitrary<string> {
  const validValue =
    name === 'cycle_ids' ? fc.constant('"{cycle_id}"') : validJson(schema, COMPONENTS);
  const validPart = validValue.map((json) => `${name}=${encodedJson(json)}`);
  const invalidPart = fc
    .tuple(
      fc.constantFrom('', '[]', '[a]', '[__proto__]', '[0][1]', '%00', '.a'),
      fc.oneof(fc.constantFrom(ID_PLACEHOLDER, ...BROKEN_ENCODINGS), encodedTexts),
    )
    .map(([suffix, value]) => `${name}${suffix}=${value}`);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 6, arbitrary: validPart },
    { weight: 2, arbitrary: invalidPart },
    { weight: 1, arbitrary: fc.tuple(validPart, invalidPart).map((parts) => parts.join('&')) },
  );
}

/** Encodes a path and keeps the placeholders of ids. */
function encodedJson(json: string): string {
  const value = JSON.parse(json) as unknown;
  return percentEncoded(String(value)).replaceAll('%7B', '{').replaceAll('%7D', '}');
}

/** Request targets other than paths. */
export const hostileTargets = ({ path }: Operation): fc.Arbitrary<string> =>
  fc.constantFrom(
    `http://evil.example${path}`,
    `http://[bad${path}`,
    `http://user:pass@evil.example:99999${path}`,
    `//evil.example${path}`,
    `/${path}`,
    `${path}/`,
    `${path}//`,
    `${path}?`,
    `${path}#x`,
    `${path};a=b`,
    `${path}\\..\\x`,
    `${path}/../../..`,
    `${path}\xff`,
    path.toUpperCase(),
    path.replaceAll('/', '%2f'),
    `${path}?${'a=1&'.repeat(1100)}`,
    `${path}/${'x'.repeat(20_000)}`,
    '*',
  );
