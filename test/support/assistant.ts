import { expect } from '@jest/globals';
import {
  Client as ProtocolClient,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import type { Client } from './client.js';
import type { Service } from './service.js';

/** How a client finds out which revision of the protocol it speaks. */
type Negotiation = NonNullable<ClientOptions['versionNegotiation']>;

/** The newest revision, if the service has it. */
export const NEWEST: Negotiation = { mode: 'auto' };

/** The revision that begins with `initialize`. */
export const OLDER: Negotiation = { mode: 'legacy' };

/** An assistant: the client of the SDK, with the token of a user. */
export class Assistant {
  private constructor(private readonly client: ProtocolClient) {}

  static async connect(
    service: Service,
    { token }: Pick<Client, 'token'>,
    versionNegotiation = NEWEST,
  ): Promise<Assistant> {
    const client = new ProtocolClient({ name: 'test', version: '1.0.0' }, { versionNegotiation });
    const headers = { Authorization: `Bearer ${token ?? ''}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', service.origin), {
        requestInit: { headers },
      }),
    );
    return new Assistant(client);
  }

  get protocol(): ProtocolClient {
    return this.client;
  }

  call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: args });
  }

  /** The content of a result that must be none of an error: the same as an object and as text. */
  async read<Content>(name: string, args: Record<string, unknown> = {}): Promise<Content> {
    const { content, structuredContent, isError } = await this.call(name, args);
    expect({ isError, content }).toEqual({
      isError: undefined,
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    });
    return structuredContent as Content;
  }

  /** The error of a call that must fail. */
  async error(
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
    const { content, structuredContent, isError } = await this.call(name, args);
    expect({ isError, content }).toEqual({
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    });
    return structuredContent as { code: string; message: string; details: Record<string, unknown> };
  }
}
