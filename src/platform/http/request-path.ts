/** The path of a request, the same for all that match a route: lower case, no slash at the end. */
export const normalizedPath = (path: string): string => path.toLowerCase().replace(/\/+$/, '');
