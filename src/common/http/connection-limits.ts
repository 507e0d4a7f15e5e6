/**
 * How long and how many connections may take what they take. Node's own limits let a client hold one open for
 * minutes with a byte now and then, and close one that a proxy keeps while the proxy sends on it.
 */
export const LIMITS = {
  /** A request's head must be here by then: 408. */
  headersTimeout: 15_000,
  /** And all of it by then: 408. */
  requestTimeout: 30_000,
  /** Longer than the minute for which proxies keep an idle connection: they close first. */
  keepAliveTimeout: 75_000,
  /** How often the first two are looked at. */
  connectionsCheckingInterval: 5000,
  /** Bytes of a request's line and headers: 431. */
  maxHeaderSize: 16_384,
};

/** Of one process; the next one is closed at once. */
export const MAX_CONNECTIONS = 10_000;
