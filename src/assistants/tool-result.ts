import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorBody } from '../platform/errors/error-body.js';
import { OPERATION_ID_HEADER } from '../platform/http/operation-id.interceptor.js';
import { MAX_RESULT_BYTES, type OperationResponse } from './operation-client.js';

const TOO_LONG = `The result has more than ${MAX_RESULT_BYTES} bytes`;

/**
 * The result of a tool: the body of the response, with the id of the operation if it has written
 * anything. A response that is too long is an error unless it is that of a write, which has taken
 * effect.
 */
export function toToolResult({ status, headers, body }: OperationResponse): CallToolResult {
  const operationId = headers[OPERATION_ID_HEADER.toLowerCase()];
  const operation = operationId === undefined ? {} : { operation_id: operationId };
  if (body === undefined) {
    return operationId === undefined
      ? toErrorResult({
          code: 'RESULT_TOO_LONG',
          message: `${TOO_LONG}: ask for less, such as one page, fewer days or without \`include\``,
          details: {},
        })
      : toResult({ ...operation, left_out: `${TOO_LONG}; the change has been made` });
  }
  const content = (body === '' ? {} : JSON.parse(body)) as object;
  return status < 400
    ? toResult({ ...content, ...operation })
    : toErrorResult((content as ErrorBody).error);
}

type ToolError = Omit<ErrorBody['error'], 'code'> & { code: string };

/** The error of an operation, which an assistant reads to do better. */
export const toErrorResult = (error: ToolError): CallToolResult => ({
  ...toResult({ ...error }),
  isError: true,
});

/** The same as an object and as text, which most assistants read. */
const toResult = (content: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
});
