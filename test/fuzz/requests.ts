import fc from 'fast-check';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { VALID_BODIES, VALID_FILES, VALID_QUERIES } from '../support/sample-entities.js';
import { bodies, FORM } from './bodies.js';
import { contentTypes, strangeHeaders } from './headers.js';
import type { Operation } from './operations.js';
import { paths, queries, strangeTargets } from './targets.js';

/** The encodings of a body, and whether the headers match them. */
export type Packing = (typeof PACKINGS)[number];

const PACKINGS = [
  'plain',
  'chunked',
  'gzip',
  'deflate',
  'br',
  'gzip, cut short',
  'gzip, but plain',
  'longer than its length',
  'shorter than its length',
] as const;

/** A request as text with placeholders for ids, so that a failure shows the complete request. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: string[];
  isSignedIn: boolean;
  body?: string;
  packing: Packing;
  /** Invalid UTF-8 in the middle of the body. */
  badBytes?: string;
}

/** A valid request. */
export function validRequest(operation: Operation): HostileRequest {
  const right = VALID_BODIES[operation.name] ?? {};
  const asForm = operation.body?.type === FORM;
  const query = VALID_QUERIES[operation.name] ?? '';
  return {
    method: operation.method.toUpperCase(),
    target: operation.path + query,
    headers: operation.body ? [`Content-Type: ${operation.body.type}`] : [],
    isSignedIn: true,
    body:
      operation.body &&
      (VALID_FILES[operation.name] ??
        (asForm ? String(new URLSearchParams({ ...right })) : JSON.stringify(right))),
    packing: 'plain',
  };
}

/** Requests of one operation: most are nearly valid, so that they pass the first checks. */
export function hostileRequests(operation: Operation): fc.Arbitrary<HostileRequest> {
  const { method, body } = operation;
  const rarely = <T>(usual: T, unusual: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: unusual });
  const target = fc.tuple(paths(operation), queries(operation)).map((parts) => parts.join(''));
  const hasBody = body ? fc.constant(true) : rarely(false, fc.constant(true));
  const content = body ? bodies(operation) : fc.constantFrom('', '{}', '{"a":1}', '{', 'x');
  return fc
    .record({
      method: rarely(method.toUpperCase(), fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND')),
      target: fc.oneof({ weight: 15, arbitrary: target }, strangeTargets(operation)),
      type: rarely(body?.type ?? 'application/json', contentTypes),
      strange: rarely([], strangeHeaders, 4),
      isSignedIn: rarely(true, fc.constant(false), 20),
      hasBody,
      body: content,
      packing: rarely<Packing>('plain', fc.constantFrom(...PACKINGS), 6),
      badBytes: rarely<string | undefined>(
        undefined,
        fc.constantFrom('\xff', '\xc0\x80', '\xed\xa0\x80', '\xf5\x80\x80\x80', '\xe2\x82'),
        20,
      ),
    })
    .map(({ type, strange, hasBody: has, body: text, badBytes, packing, ...rest }) => ({
      ...rest,
      headers: [...(has ? [`Content-Type: ${type}`] : []), ...strange],
      ...(has
        ? { body: text, packing, ...(badBytes !== undefined && { badBytes }) }
        : { packing: 'plain' }),
    }));
}

/** Whether the receiver would wait for more bytes. */
export const isCutShort = ({ packing }: HostileRequest): boolean =>
  packing === 'shorter than its length';

/** The bytes to send, with ids instead of placeholders. */
export function bytesOf(
  request: HostileRequest,
  fill: (text: string) => string,
  token = '',
): Buffer {
  const { method, target, headers, body, isSignedIn } = request;
  const { fields, bytes } = body === undefined ? NO_BODY : packed(request, fill(body));
  const lines = [
    `${method} ${fill(target)} HTTP/1.1`,
    'Connection: close',
    ...(headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost']),
    ...(isSignedIn ? [`Authorization: Bearer ${token}`] : []),
    ...headers,
    ...fields,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

interface Packed {
  fields: string[];
  bytes: Buffer;
}

const NO_BODY: Packed = { fields: [], bytes: Buffer.alloc(0) };

function packed({ packing, badBytes = '' }: HostileRequest, text: string): Packed {
  const middle = Math.floor(text.length / 2);
  const plain = Buffer.concat([
    Buffer.from(text.slice(0, middle)),
    Buffer.from(badBytes, 'latin1'),
    Buffer.from(text.slice(middle)),
  ]);
  const encoded = (encoding: string, bytes: Buffer): Packed => ({
    fields: [`Content-Encoding: ${encoding}`, `Content-Length: ${bytes.length}`],
    bytes,
  });
  switch (packing) {
    case 'plain':
      return { fields: [`Content-Length: ${plain.length}`], bytes: plain };
    case 'longer than its length':
      return { fields: [`Content-Length: ${Math.max(0, plain.length - 2)}`], bytes: plain };
    case 'shorter than its length':
      return { fields: [`Content-Length: ${plain.length + 5}`], bytes: plain };
    case 'chunked':
      return { fields: ['Transfer-Encoding: chunked'], bytes: chunked(plain) };
    case 'gzip':
      return encoded('gzip', gzipSync(plain));
    case 'deflate':
      return encoded('deflate', deflateSync(plain));
    case 'br':
      return encoded('br', brotliCompressSync(plain));
    case 'gzip, cut short':
      return encoded('gzip', gzipSync(plain).subarray(0, -9));
    case 'gzip, but plain':
      return encoded('gzip', plain);
  }
}

function chunked(bytes: Buffer): Buffer {
  const chunk = (part: Buffer): Buffer[] => [
    Buffer.from(`${part.length.toString(16)};ext="x"\r\n`),
    part,
    Buffer.from('\r\n'),
  ];
  const middle = Math.floor(bytes.length / 2);
  const parts = [bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length);
  return Buffer.concat([...parts.flatMap(chunk), Buffer.from('0\r\nX-Trailer: x\r\n\r\n')]);
}
