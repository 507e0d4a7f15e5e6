import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import {
  readProjectJson,
  SERVICE_NAME,
  SERVICE_VERSION,
} from '../platform/config/project-files.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { DOCUMENT } from '../platform/openapi/openapi.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { describeTools, type DescribedTool } from './described-tools.js';
import { OperationClient } from './operation-client.js';
import { toOperationRequest, type Arguments } from './tool-request.js';
import { toErrorResult, toToolResult } from './tool-result.js';
import { INSTRUCTIONS } from './tools.js';

/** The SDK needs a whole address, of which it uses nothing. */
const ADDRESS = 'http://localhost/mcp';

/** What a response says of the operation that a tool called. */
const HEADERS_OF_OPERATION = ['Operation-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

type ServedRequest = HttpRequest & { user: AuthenticatedUser };

/** Serves the Model Context Protocol, one message at a time, without sessions. */
@Injectable()
export class AssistantsService {
  private described?: readonly DescribedTool[];

  constructor(private readonly operations: OperationClient) {}

  /**
   * Answers a message: of the newest revision of the protocol, whose messages are complete in
   * themselves, or of an older one, which begins with `initialize`.
   *
   * @param request with the message as its body
   */
  async answer(request: ServedRequest): Promise<Response> {
    const message: unknown = request.body;
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return refuse('Invalid Request: send one message in the body');
    }
    const web = new Request(ADDRESS, { method: 'POST', headers: headersOf(request) });
    const server = this.serverFor(request);
    const parsed = { parsedBody: message };
    if (!(await isLegacyRequest(web, message))) {
      const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
      return handler.fetch(web, parsed);
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(web, parsed);
    } finally {
      await server.close();
    }
  }

  /** Read when they are needed, because the service also runs to make the document. */
  private get tools(): readonly DescribedTool[] {
    this.described ??= describeTools(readProjectJson(DOCUMENT) as OpenAPIObject);
    return this.described;
  }

  /** A server for one request, with the tools that its token can use. */
  private serverFor(request: ServedRequest): McpServer {
    const mcp = new McpServer(
      { name: SERVICE_NAME, version: SERVICE_VERSION },
      { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
    );
    const canWrite = request.user.tokenAccess === 'write';
    mcp.server.setRequestHandler('tools/list', () => ({
      tools: this.tools
        .filter(({ isWrite }) => canWrite || !isWrite)
        .map(({ definition }) => definition),
    }));
    mcp.server.setRequestHandler('tools/call', ({ params }) =>
      this.call(request, params.name, params.arguments ?? {}),
    );
    return mcp;
  }

  /**
   * Calls the operation of a tool, which refuses a token that cannot write.
   *
   * @throws ProtocolError for an unknown tool
   */
  private async call(
    request: ServedRequest,
    name: string,
    args: Arguments,
  ): Promise<CallToolResult> {
    const tool = this.tools.find(({ definition }) => definition.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    try {
      const response = await this.operations.send(request, toOperationRequest(tool, args));
      for (const header of HEADERS_OF_OPERATION) {
        const value = response.headers[header.toLowerCase()];
        if (value !== undefined) (request.res as HttpResponse).setHeader(header, value);
      }
      return toToolResult(response);
    } catch (error) {
      if (error instanceof DomainError) return toErrorResult(error.toBody().error);
      throw error;
    }
  }
}

function headersOf({ headers }: HttpRequest): Headers {
  const read = Object.entries(headers).filter(([name]) =>
    /^(accept|content-type|mcp-.*)$/.test(name),
  );
  return new Headers(read.map(([name, value]): [string, string] => [name, String(value)]));
}

const refuse = (message: string): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: ProtocolErrorCode.InvalidRequest, message }, id: null },
    { status: 400 },
  );
