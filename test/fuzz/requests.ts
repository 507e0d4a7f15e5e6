import fc from 'fast-check';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { VALID_BODIES, VALID_FILES, VALID_QUERIES } from '../support/sample-entities.js';
import { bodies, FORM } from './bodies.js';
import { contentTypes, hostileHeaders } from './headers.js';
import type { Operation } from './operations.js';
import { paths, queries, hostileTargets } from './targets.js';

/** How a body is encoded, and whether the headers match. */
export type BodyEncoding = (typeof BODY_ENCODINGS)[number];

const BODY_ENCODINGS = [
  'plain',
  'chunked',
  'gzip',
  'deflate',
  'br',
  'truncated gzip',
  'plain text declared as gzip',
  'longer than its Content-Length',
  'shorter than its Content-Length',
] as const;

/** A request as text with placeholders for ids, so that a failure shows the complete request. */
export interface HostileRequest {
  method: string;
  target: string;
  headers: string[];
  isSignedIn: boolean;
  body?: string;
  bodyEncoding: BodyEncoding;
  /** Invalid UTF-8 in the middle of the body. */
  badBytes?: string;
}

export function validRequest(operation: Operation): HostileRequest {
  const validBody = VALID_BODIES[operation.name] ?? {};
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
        (asForm ? String(new URLSearchParams({ ...validBody })) : JSON.stringify(validBody))),
    bodyEncoding: 'plain',
  };
}

/** Requests of one operation: most are nearly valid, so that they pass the first checks. */
export function hostileRequests(operation: Operation): fc.Arbitrary<HostileRequest> {
  const { method, body } = operation;
  const mostly = <T>(usual: T, unusual: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: unusual });
  const target = fc.tuple(paths(operation), queries(operation)).map((parts) => parts.join(''));
  const hasBody = body ? fc.constant(true) : mostly(false, fc.constant(true));
  const content = body ? bodies(operation) : fc.constantFrom('', '{}', '{"a":1}', '{', 'x');
  return fc
    .record({
      method: mostly(method.toUpperCase(), fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND')),
      target: fc.oneof({ weight: 15, arbitrary: target }, hostileTargets(operation)),
      type: mostly(body?.type ?? 'application/json', contentTypes),
      hostile: mostly([], hostileHeaders, 4),
      isSignedIn: mostly(true, fc.constant(false), 20),
      hasBody,
      body: content,
      bodyEncoding: mostly<BodyEncoding>('plain', fc.constantFrom(...BODY_ENCODINGS), 6),
      badBytes: mostly<string | undefined>(
        undefined,
        fc.constantFrom('\xff', '\xc0\x80', '\xed\xa0\x80', '\xf5\x80\x80\x80', '\xe2\x82'),
        20,
      ),
    })
    .map(({ type, hostile, hasBody: hasContent, body: text, badBytes, bodyEncoding, ...rest }) => ({
      ...rest,
      headers: [...(hasContent ? [`Content-Type: ${type}`] : []), ...hostile],
      ...(hasContent
        ? { body: text, bodyEncoding, ...(badBytes !== undefined && { badBytes }) }
        : { bodyEncoding: 'plain' }),
    }));
}

/** Whether the service waits for more bytes of the body. */
export const isCutShort = ({ bodyEncoding }: HostileRequest): boolean =>
  bodyEncoding === 'shorter than its Content-Length';

/** The bytes to send, with ids instead of placeholders. */
export function bytesOf(
  request: HostileRequest,
  fill: (text: string) => string,
  token = '',
): Buffer {
  const { method, target, headers, body, isSignedIn } = request;
  const { fields, bytes } = body === undefined ? NO_BODY : encodeBody(request, fill(body));
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

interface EncodedBody {
  fields: string[];
  bytes: Buffer;
}

const NO_BODY: EncodedBody = { fields: [], bytes: Buffer.alloc(0) };

function encodeBody({ bodyEncoding, badBytes = '' }: HostileRequest, text: string): EncodedBody {
  const middle = Math.floor(text.length / 2);
  const plain = Buffer.concat([
    Buffer.from(text.slice(0, middle)),
    Buffer.from(badBytes, 'latin1'),
    Buffer.from(text.slice(middle)),
  ]);
  const contentEncoded = (encoding: string, bytes: Buffer): EncodedBody => ({
    fields: [`Content-Encoding: ${encoding}`, `Content-Length: ${bytes.length}`],
    bytes,
  });
  switch (bodyEncoding) {
    case 'plain':
      return { fields: [`Content-Length: ${plain.length}`], bytes: plain };
    case 'longer than its Content-Length':
      return { fields: [`Content-Length: ${Math.max(0, plain.length - 2)}`], bytes: plain };
    case 'shorter than its Content-Length':
      return { fields: [`Content-Length: ${plain.length + 5}`], bytes: plain };
    case 'chunked':
      return { fields: ['Transfer-Encoding: chunked'], bytes: chunked(plain) };
    case 'gzip':
      return contentEncoded('gzip', gzipSync(plain));
    case 'deflate':
      return contentEncoded('deflate', deflateSync(plain));
    case 'br':
      return contentEncoded('br', brotliCompressSync(plain));
    case 'truncated gzip':
      return contentEncoded('gzip', gzipSync(plain).subarray(0, -9));
    case 'plain text declared as gzip':
      return contentEncoded('gzip', plain);
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
