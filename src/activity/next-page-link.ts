import type { Request, Response } from 'express';
import type { Settings } from '../platform/config/settings.js';
import { publicPrefix } from '../platform/http/public-url.js';

/** Sets `Link: rel="next"` (RFC 8288): the URL of the request with other query parameters. */
export function setNextPageLink(
  request: Request,
  response: Response,
  parameters: Record<string, string>,
  settings: Settings,
): void {
  // A path without scheme and host, which a proxy may change.
  const url = new URL(request.originalUrl, 'http://localhost');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  response.setHeader('Link', `<${publicPrefix(settings)}${url.pathname}${url.search}>; rel="next"`);
}

/** The header in the OpenAPI document. */
export const NEXT_PAGE_HEADER = {
  Link: {
    description: 'The URL of the next page; absent on the last page',
    schema: { type: 'string' as const },
    example:
      '</api/v1/comments?cycle_id=c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05&before=47d8f2a6-c0e3-4951-b8f4-3c2d1e0f9a07>; rel="next"',
  },
};
