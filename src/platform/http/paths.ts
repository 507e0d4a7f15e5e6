/** Prefix of every path of the API; health probes and the documentation are outside it. */
export const API_PREFIX = 'api/v1';
