import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as its bytes say it. */
export interface RawAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Opens a connection; an end that the other side forces is an end like any other. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Everything that the other side sends until it closes the connection. */
export async function receiveAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks);
}

/**
 * Sends bytes that need not be HTTP, and gives what comes back.
 *
 * @param isCutShort - whether to say that nothing will follow, where the receiver would wait for it
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
 * All the answers in the bytes of a connection, those of the kind of `100 Continue` left out.
 *
 * @param method - of the first request: an answer to HEAD has the length of a body, and no body, except that
 *   of the HTTP parser, which has not read the method when it refuses and hangs up
 */
export function parseAnswers(bytes: Buffer, method = 'GET'): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`No HTTP: ${rest.toString('latin1')}`);
    const head = parseHead(rest.subarray(0, end).toString('latin1'));
    rest = rest.subarray(end + 4);
    if (head.status < 200) continue;
    const isToHead =
      method === 'HEAD' && answers.length === 0 && head.headers.connection !== 'close';
    const length = isToHead ? 0 : bodyLength(head, rest);
    answers.push({ ...head, body: rest.subarray(0, length).toString() });
    rest = rest.subarray(length);
  }
  return answers;
}

function parseHead(head: string): Omit<RawAnswer, 'body'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`No HTTP: ${head}`);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: Object.fromEntries(headers) };
}

/** The service gives every length; what ends with the connection has all the rest. */
function bodyLength({ status, headers }: Omit<RawAnswer, 'body'>, rest: Buffer): number {
  if (status === 204 || status === 304) return 0;
  return Number(headers['content-length'] ?? rest.length);
}
