/**
 * Timeouts and sizes of the HTTP server. Node's defaults let a slow client hold a connection open
 * for minutes, and close idle connections that a proxy may be sending its next request on.
 */
export const SERVER_LIMITS = {
  /** To receive the headers of a request, else 408. */
  headersTimeout: 15_000,
  /** To receive the whole request, else 408. */
  requestTimeout: 180_000,
  /** Longer than the 60 s of common proxies, so that the proxy closes an idle connection first. */
  keepAliveTimeout: 75_000,
  /** How often `headersTimeout` and `requestTimeout` are checked. */
  connectionsCheckingInterval: 5000,
  /** Bytes of the request line and headers, else 431. */
  maxHeaderSize: 16_384,
};

/** Connections of one process; further ones are closed at once. */
export const MAX_CONNECTIONS = 10_000;

/** Pipelined requests of one connection that wait for the current one; with more it is closed. */
export const MAX_QUEUED_REQUESTS = 100;

/** A connection whose client reads nothing of its response for this long is closed. */
export const SEND_TIMEOUT_MS = 10_000;

/** To receive a body after its route has begun to read it, else 408. */
export const BODY_TIMEOUT_MS = 30_000;

/**
 * After a response, what the client still sends is discarded for this long; then the connection is
 * closed.
 */
export const MAX_DISCARD_MS = 2000;
