import type { Request, Response } from 'express';

/** Names the next page's address: the request's own with other query parameters (RFC 8288). */
export function linkToNextPage(
  request: Request,
  response: Response,
  parameters: Record<string, string>,
): void {
  // Relative to the request: right behind every proxy.
  const url = new URL(request.originalUrl, 'http://localhost');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  response.setHeader('Link', `<${url.pathname}${url.search}>; rel="next"`);
}

/** How the document of the API shows it. */
export const NEXT_PAGE_HEADER = {
  Link: {
    description: 'The address of the next page, while there is one',
    schema: { type: 'string' as const },
    example:
      '</api/v1/comments?cycle_id=c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05&before=47d8f2a6-c0e3-4951-b8f4-3c2d1e0f9a07>; rel="next"',
  },
};
