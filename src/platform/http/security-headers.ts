import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** `upgrade-insecure-requests` would break Swagger UI on a server without TLS. */
const PAGE_OPTIONS: HelmetOptions = {
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
};

/**
 * The headers that OWASP recommends for a REST API: no framing and no active content. The other
 * headers of helmet concern HTML pages
 * (https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html).
 */
const API_OPTIONS: HelmetOptions = {
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

/**
 * Sets the security and cache headers of HTML pages below the path `pages`, which Express matches
 * without regard to case, and of the API elsewhere.
 */
export function securityHeaders(pages: string): RequestHandler {
  const setPageHeaders = helmet(PAGE_OPTIONS);
  const setApiHeaders = helmet(API_OPTIONS);
  return (request, response, next) => {
    if (request.url.slice(0, pages.length).toLowerCase() === pages) {
      setPageHeaders(request, response, next);
      return;
    }
    // Responses with financial data must not be cached.
    response.setHeader('Cache-Control', 'no-store');
    setApiHeaders(request, response, next);
  };
}
