import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response parsed from the bytes of a connection. */
export interface RawResponse {
  status: number;
  /** Values by lower-case name. */
  headers: Record<string, string>;
  body: string;
}

/** Opens a connection; a reset by the other side ends it without an error. */
export async function openSocket(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host });
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  return socket;
}

/** All bytes that the other side sends until it closes the connection. */
export async function receiveAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The `once` of node:events would reject at a reset, after which the received bytes are still of
  // interest.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

/**
 * Sends bytes, which need not be HTTP, and returns all bytes that come back.
 *
 * @param isCutShort - whether to half-close the connection after the bytes
 */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  isCutShort = false,
): Promise<Buffer> {
  const socket = await openSocket(port);
  const received = receiveAll(socket);
  if (isCutShort) socket.end(bytes);
  else socket.write(bytes);
  return received;
}

/**
 * Parses all responses in the bytes of a connection, except informational ones (1xx).
 *
 * @param method - of the first request: a response to HEAD has a content length and no body, unless
 *   the HTTP parser refused the request before it read the method and closed the connection
 */
export function parseResponses(bytes: Buffer, method = 'GET'): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`Not HTTP: ${rest.toString('latin1')}`);
    const head = parseHead(rest.subarray(0, end).toString('latin1'));
    rest = rest.subarray(end + 4);
    if (head.status < 200) continue;
    const hasNoBody =
      method === 'HEAD' && responses.length === 0 && head.headers.connection !== 'close';
    const length = hasNoBody ? 0 : bodyLength(head, rest);
    responses.push({ ...head, body: rest.subarray(0, length).toString() });
    rest = rest.subarray(length);
  }
  return responses;
}

function parseHead(head: string): Omit<RawResponse, 'body'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`Not HTTP: ${head}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: Object.fromEntries(headers) };
}

/** Without a Content-Length, the body extends to the end of the connection. */
function bodyLength({ status, headers }: Omit<RawResponse, 'body'>, rest: Buffer): number {
  if (status === 204 || status === 304) return 0;
  return Number(headers['content-length'] ?? rest.length);
}
