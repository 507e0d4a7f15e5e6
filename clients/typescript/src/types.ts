import type { Client, ClientPathsWithMethod, ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { components, paths } from './schema.js';

/**
 * The schemas of the OpenAPI document, for example `Schemas['CycleResponse']`. Money is a decimal
 * string.
 */
export type Schemas = components['schemas'];

/** The operations by path, without the prefix `/api/v1`; those of `/account` have none. */
export type ApiPaths = {
  [
    Path in keyof paths as Path extends `/api/v1${infer Rest}`
      ? Rest
      : Extract<Path, '/account' | `/account/${string}`>
  ]: paths[Path];
};

export type ApiMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that support the method. */
export type PathsWith<Method extends ApiMethod> = ClientPathsWithMethod<Client<ApiPaths>, Method>;

/** The paths that support `GET`. */
export type GetPath = PathsWith<'get'>;

export type Operation<
  Method extends ApiMethod,
  Path extends PathsWith<Method>,
> = ApiPaths[Path][Method];

export interface Cancellation {
  /** Aborts the request, which then throws its reason. */
  signal?: AbortSignal;
}

/**
 * `params` (`path`, `query`, `header`) and `body` of an operation as the OpenAPI document has them.
 */
export type RequestInput<Op> = ParamsOption<Op> & RequestBodyOption<Op>;

export type RequestOptions<Op> = RequestInput<Op> & Cancellation;

type SuccessOf<Op> = Op extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201 | 202 | 204)]
  : never;

type DataOf<Success> = Success extends { content: infer Content }
  ? WithChanges<Content[keyof Content]>
  : undefined;

/**
 * An element of `GET /changes`, where `entity_type` tells the type of `representation` and
 * `deleted` whether it is null, which the document cannot say.
 */
export type Change<Response = Schemas['ChangeResponse']> = Response extends {
  representation: unknown;
}
  ? Omit<Response, 'deleted' | 'representation'> &
      (
        | { deleted: true; representation: null }
        | { deleted: false; representation: NonNullable<Response['representation']> }
      )
  : never;

type WithChanges<Data> = Data extends Schemas['ChangesResponse']
  ? Omit<Data, 'changes'> & { changes: Change[] }
  : Data;

/** A response with a status of 2xx. */
export interface ApiResponse<Op> {
  /** The body; `undefined` for 204. */
  data: DataOf<SuccessOf<Op>>;
  /** The tag of the representation, for the parameter `If-Match` of an update. */
  etag: SuccessOf<Op> extends { headers: { ETag: string } } ? string : undefined;
  /** For its status and headers; the body has been read. */
  response: Response;
}

/**
 * Sends a request. Throws `ApiError`, `NetworkError`, `UnexpectedResponseError`, or the reason of
 * `signal`.
 */
export type ApiCall<Method extends ApiMethod> = <Path extends PathsWith<Method>>(
  path: Path,
  ...options: object extends RequestOptions<Operation<Method, Path>>
    ? [RequestOptions<Operation<Method, Path>>?]
    : [RequestOptions<Operation<Method, Path>>]
) => Promise<ApiResponse<Operation<Method, Path>>>;

/** What a `GET` of the path returns. */
export type DataAt<Path extends GetPath> = ApiResponse<Operation<'get', Path>>['data'];

/** The parameters that select a page of a list. */
type PageParameter = 'page' | 'before' | 'since';

/** The lists that are returned in pages. */
export type PagedPath = {
  [Path in PathsWith<'get'>]: Operation<'get', Path> extends { parameters: { query?: infer Query } }
    ? PageParameter & keyof NonNullable<Query> extends never
      ? never
      : Path
    : never;
}[PathsWith<'get'>];
