import { toErrorBody } from '../errors/error-body.js';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js';

const MESSAGES = {
  400: 'Malformed HTTP request',
  408: 'The request did not arrive in time',
  431: 'The header of the request is too large',
};

/** The response to a request that Node's HTTP parser cannot read. */
export const describeClientError = (
  status: keyof typeof MESSAGES,
): { headers: Record<string, string>; body: object } => ({
  headers: { [REQUEST_ID_HEADER]: newRequestId() },
  body: toErrorBody('VALIDATION_ERROR', MESSAGES[status]),
});
