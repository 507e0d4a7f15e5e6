/**
 * Timeouts and sizes of the HTTP server. Node's defaults let a slow client hold a connection open
 * for minutes, and close idle connections that a proxy may be sending its next request on.
 */
export const SERVER_LIMITS = {
  /** How long the headers of a request may take, else 408. */
  headersTimeout: 15_000,
  /** How long the whole request may take, else 408. */
  requestTimeout: 180_000,
  /** Longer than the 60 s of common proxies, so that the proxy closes an idle connection first. */
  keepAliveTimeout: 75_000,
  /** How often `headersTimeout` and `requestTimeout` are checked. */
  connectionsCheckingInterval: 5000,
  /** Bytes of the request line and headers, else 431. */
  maxHeaderSize: 16_384,
};

/**
 * Connections of one process; further ones are closed at once. Each takes up to 23 KB of the heap
 * while its client does not read the response to a request with the largest headers.
 */
export const MAX_CONNECTIONS = 3000;

/** A connection whose client reads nothing of its response for this long is closed. */
export const SEND_TIMEOUT_MS = 10_000;

/** So is one whose client has not read a response for this long after its end was written. */
export const MAX_SENDING_MS = 120_000;

/** How long a body may take once its route has begun to read it, else 408. */
export const BODY_TIMEOUT_MS = 30_000;

/**
 * What a client still sends after a response is discarded for this long; then the connection is
 * closed.
 */
export const MAX_DISCARD_MS = 2000;
