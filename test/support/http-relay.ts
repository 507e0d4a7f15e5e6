import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RelayedRequest {
  /** Method and path without `/api/v1`, for example `POST /cycles`. */
  operation: string;
  headers: IncomingHttpHeaders;
}

/**
 * What the relay does with a request instead of passing it on. `forward` sends it to the service.
 */
export type Fault = (
  response: ServerResponse,
  forward: () => Promise<globalThis.Response>,
) => void | Promise<void>;

/** The request takes effect and its response is lost. */
export const LOSE_RESPONSE: Fault = async (response, forward) => {
  await (await forward()).arrayBuffer();
  response.destroy();
};

/** The connection ends in the middle of the response. */
export const CUT_RESPONSE: Fault = async (response, forward) => {
  const { status, headers } = await forward();
  response.writeHead(status, { ...Object.fromEntries(headers), 'content-length': '1000' });
  response.write('{"', () => response.destroy());
};

/** The request does not reach the service. */
export const REFUSE: Fault = (response) => void response.destroy();

/** No response. */
export const HANG: Fault = () => undefined;

/** Responds instead of the service. */
export const respondWith =
  (status: number, body: string | object, headers: Record<string, string> = {}): Fault =>
  (response) => {
    const [type, text] =
      typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
    response.writeHead(status, { 'content-type': type, ...headers }).end(text);
  };

/** Responds as the service does, with fields of the body replaced. */
export const respondWithChanged =
  (fields: object): Fault =>
  async (response, forward) => {
    const forwarded = await forward();
    const body = { ...((await forwarded.json()) as object), ...fields };
    const headers = endToEnd(Object.fromEntries(forwarded.headers));
    await respondWith(forwarded.status, body, headers)(response, forward);
  };

/** An HTTP proxy before the service that records the requests, and injects faults. */
export class HttpRelay {
  requests: RelayedRequest[] = [];
  private faults: { operation: string; fault: Fault }[] = [];
  private readonly server: Server = createServer(
    (request, response) => void this.relay(request, response),
  );

  /** @param target returns the server, when the tests run */
  constructor(private readonly target: () => Server) {}

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  reset(): void {
    this.requests = [];
    this.faults = [];
  }

  get url(): string {
    return urlOf(this.server);
  }

  /** Injects faults into the next requests of an operation, one each. */
  inject(operation: string, ...faults: Fault[]): void {
    this.faults.push(...faults.map((fault) => ({ operation, fault })));
  }

  /** The requests of an operation. */
  requestsOf(operation: string): RelayedRequest[] {
    return this.requests.filter((request) => request.operation === operation);
  }

  private async relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const forward = (): Promise<globalThis.Response> => {
      return fetch(urlOf(this.target()) + url, {
        method,
        headers: endToEnd(headers),
        ...(body.length > 0 && { body }),
      });
    };
    const operation = `${method} ${url.replace('/api/v1', '').replace(/\?.*/, '')}`;
    this.requests.push({ operation, headers });
    const index = this.faults.findIndex((each) => each.operation === operation);
    const [injected] = index < 0 ? [] : this.faults.splice(index, 1);
    await (injected?.fault ?? passOn)(response, forward);
  }
}

const passOn: Fault = async (response, forward) => {
  const forwarded = await forward();
  const headers = endToEnd(Object.fromEntries(forwarded.headers));
  response.writeHead(forwarded.status, headers).end(Buffer.from(await forwarded.arrayBuffer()));
};

/** The headers that a proxy passes on; those of the connection and the length are set anew. */
function endToEnd(headers: IncomingHttpHeaders): Record<string, string> {
  const own = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];
  const others = Object.entries(headers).filter(([name]) => !own.includes(name));
  return Object.fromEntries(others.map(([name, value]) => [name, String(value)]));
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

/** Starts a relay before the tests of a file, and clears its records and faults after each. */
export function useRelay(target: () => Server): HttpRelay {
  const relay = new HttpRelay(target);
  beforeAll(() => relay.start());
  afterEach(() => relay.reset());
  afterAll(() => relay.stop());
  return relay;
}
