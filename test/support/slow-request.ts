import { once } from 'node:events';
import { request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { addressOf, type Client } from './client.js';

interface SlowRequestOptions {
  method?: string;
  path: string;
  type?: string;
  headers?: Record<string, string>;
}

export interface SlowResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** A request on a connection of its own, whose body the test sends in parts. */
export class SlowRequest {
  private readonly request: ClientRequest;
  /** Rejects when the connection is closed without one. */
  readonly response: Promise<SlowResponse>;

  /** Sends the headers. */
  constructor(
    origin: string,
    { token }: Client,
    { method = 'POST', path, type = 'application/json', headers }: SlowRequestOptions,
  ) {
    this.request = openRequest(origin + addressOf(path), {
      method,
      headers: {
        'Content-Type': type,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      agent: false,
    });
    this.response = this.receive();
    // A test may not wait for it.
    this.response.catch(() => undefined);
    this.request.on('error', () => undefined);
    if (method !== 'GET') this.request.flushHeaders();
  }

  write(part: string | Buffer): void {
    this.request.write(part);
  }

  /** Ends the body and waits for the response. */
  end(part?: string | Buffer): Promise<SlowResponse> {
    this.request.end(part);
    return this.response;
  }

  destroy(): void {
    this.request.destroy();
  }

  private async receive(): Promise<SlowResponse> {
    const [response] = (await once(this.request, 'response')) as [IncomingMessage];
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, text: await text(response) };
  }
}
