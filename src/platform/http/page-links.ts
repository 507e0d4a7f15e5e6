import {
  applyDecorators,
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { SETTINGS } from '../config/config.module.js';
import type { Settings } from '../config/settings.js';
import type { Pagination } from '../dto/page.js';
import { ApiResponseHeader } from '../openapi/response-header.decorator.js';
import { publicPrefix } from './public-url.js';

/** Sets `Link: rel="next"` (RFC 8288): the URL of the request with other query parameters. */
export function setNextPageLink(
  request: Request,
  response: Response,
  parameters: Record<string, string>,
  settings: Settings,
): void {
  response.setHeader('Link', `<${urlWith(parameters, request, settings)}>; rel="next"`);
}

/** The path and query of the request with other query parameters. */
function urlWith(
  parameters: Record<string, string>,
  { path, originalUrl }: Request,
  settings: Settings,
): string {
  // A path without scheme and host, which a proxy may change; the target may have any, also no valid one.
  const [, search = ''] = /\?([^#]*)/.exec(originalUrl) ?? [];
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `${publicPrefix(settings)}${path}?${query.toString()}`;
}

/** The header of {@link setNextPageLink} in the OpenAPI document. */
export const NEXT_PAGE_HEADER = {
  Link: {
    description: 'The URL of the next page; absent on the last page',
    schema: { type: 'string' as const },
    example:
      '</api/v1/comments?cycle_id=c1a5e0d4-7b39-4e62-8c48-0f1e2d3c4b05&before=47d8f2a6-c0e3-4951-b8f4-3c2d1e0f9a07>; rel="next"',
  },
};

/** nginx accepts 4,096 bytes of headers by default; a long `q` is in every link. */
const MAX_LINKS_LENGTH = 2500;

interface Page {
  pagination: Pagination;
}

/** Sets `Link` (RFC 8288) of a numbered page. */
@Injectable()
class PageLinksInterceptor implements NestInterceptor<Page> {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<Page>): Observable<Page> {
    const http = context.switchToHttp();
    // Without a space after `;`, for the typed clients up to 1.9.0: they take `; rel="next"` for the
    // link of a list with a cursor, and would read the same page again and again.
    const linkTo = ([rel, page]: [string, number]): string =>
      `<${urlWith({ page: String(page) }, http.getRequest<Request>(), this.settings)}>;rel="${rel}"`;
    const setHeader = ({ pagination }: Page): void => {
      const links = joinUpTo(MAX_LINKS_LENGTH, Object.entries(linkedPages(pagination)).map(linkTo));
      if (links !== '') http.getResponse<Response>().setHeader('Link', links);
    };
    return next.handle().pipe(tap(setHeader));
  }
}

/**
 * The numbers of the pages that a page links to, the most useful first; `prev` of one past the end
 * is the last page.
 */
function linkedPages({ page, pages }: Pagination): Record<string, number> {
  if (pages === 0) return {};
  return {
    ...(page < pages && { next: page + 1 }),
    ...(page > 1 && { prev: Math.min(page - 1, pages) }),
    first: 1,
    last: pages,
  };
}

/** Joins the first links whose total length fits. */
const joinUpTo = (length: number, links: readonly string[]): string =>
  links.reduce((joined, link) => {
    const longer = joined === '' ? link : `${joined}, ${link}`;
    return longer.length > length ? joined : longer;
  }, '');

/** The route returns numbered pages with `pagination`. */
export const HasPageLinks = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PageLinksInterceptor),
    ApiResponseHeader(
      'Link',
      'The URLs of the `next`, `prev`, `first` and `last` page with the same filters, where there is one, as many as ' +
        'fit into 2,500 characters; absent for an empty list',
      '</api/v1/cycles?page=2>;rel="next", </api/v1/cycles?page=1>;rel="first", </api/v1/cycles?page=3>;rel="last"',
    ),
  );
