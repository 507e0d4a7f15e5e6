export { ExpenseClient, type ExpenseClientOptions } from './client.js';
export {
  ApiError,
  isApiError,
  NetworkError,
  UnexpectedResponseError,
  type ErrorCode,
  type ErrorDetails,
} from './errors.js';
export type { RetrySettings } from './retry.js';
export type { AccessToken } from './session.js';
export type {
  ApiCall,
  ApiPaths,
  ApiResponse,
  Cancellation,
  Change,
  Operation,
  PagedPath,
  RequestOptions,
  Schemas,
} from './types.js';
