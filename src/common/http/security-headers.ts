import type { NextFunction, Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;
type Headers = ReadonlyMap<string, string>;

/** Its upgrade of http addresses would break Swagger UI where there is no TLS. */
const OF_PAGES: HelmetOptions = {
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
};

/**
 * What OWASP asks of a REST API: a browser shows data in no page and lets it do nothing. What else helmet sets
 * is about pages (https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html).
 */
const OF_DATA: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** What browsers and caches are told of the pages at a path, in any case as Express has it, and of all else. */
export function securityHeaders(pages: string): Middleware {
  const ofPages = headersOf(OF_PAGES);
  // Answers about money are never kept by a cache.
  const ofData = new Map([...headersOf(OF_DATA), ['Cache-Control', 'no-store']]);
  return (request, response, next) => {
    const isPage = request.url.slice(0, pages.length).toLowerCase() === pages;
    const headers = isPage ? ofPages : ofData;
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** They are the same for every answer, so helmet is asked for them once. */
function headersOf(options: HelmetOptions): Headers {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as Request, answer as unknown as Response, () => undefined);
  return headers;
}
