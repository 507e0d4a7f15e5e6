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
