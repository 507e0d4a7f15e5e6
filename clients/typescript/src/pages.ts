/** The parts of a response with a list that lead to the next page. */
interface Page {
  pagination?: { page: number; pages: number };
  has_more?: boolean;
  next?: string;
}

/**
 * The query parameters that select the next page, or `undefined` after the last one (docs/api.md).
 */
export function nextPageOf(data: unknown, response: Response): object | undefined {
  const { pagination, has_more: hasMore, next } = data as Page;
  if (pagination) {
    return pagination.page < pagination.pages ? { page: pagination.page + 1 } : undefined;
  }
  // Activity, comments, balances: the URL of the next page. Only its cursor is used, because a proxy
  // may change paths.
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  if (link !== undefined) {
    return { before: new URL(link, 'http://localhost').searchParams.get('before') };
  }
  return hasMore ? { since: next } : undefined;
}
