import { MethodNotAllowedException } from '@nestjs/common';
import type { Express, NextFunction, Request, Response, Router } from 'express';

type MethodsByPath = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Makes every registered path respond with 405 and `Allow` to methods it has no route for. Must be
 * called after the routes are registered and before the handler of unknown paths.
 */
export function registerMethodNotAllowed(express: Express): void {
  refuseOtherMethods(express, methodsByPath(express));
}

/**
 * The same for paths such as `/records/next` that match another path, `/records/:id`, whose route
 * would take the text for an id.
 *
 * @param first handles requests before the routes of `express`, which are all registered
 */
export function registerMethodNotAllowedFirst(first: Router, express: Express): void {
  const methods = methodsByPath(express);
  const paths = [...methods.keys()];
  const ambiguous = [...methods]
    .filter(([path]) => paths.some((other) => isMoreSpecific(path, other)))
    .sort(([a], [b]) => countParameters(a) - countParameters(b));
  refuseOtherMethods(first, new Map(ambiguous));
}

function refuseOtherMethods(router: Router, methods: MethodsByPath): void {
  for (const [path, allowed] of methods) {
    router.route(path).all((request: Request, response: Response, next: NextFunction) => {
      if (allowed.has(request.method)) {
        next('router');
        return;
      }
      response.setHeader('Allow', [...allowed].join(', '));
      next(new MethodNotAllowedException());
    });
  }
}

function methodsByPath(express: Express): MethodsByPath {
  const methods = new Map<string, Set<string>>();
  for (const { route } of express.router.stack) {
    if (!route) continue;
    const ofPath = methods.get(route.path) ?? new Set();
    for (const { method } of route.stack) {
      if (method) ofPath.add(method.toUpperCase());
      if (method === 'get') ofPath.add('HEAD');
    }
    methods.set(route.path, ofPath);
  }
  return methods;
}

const isParameter = (segment: string): boolean => segment.includes(':');

const countParameters = (path: string): number => path.split('/').filter(isParameter).length;

/**
 * Whether the first path has text where the second one has a parameter, and the same text
 * elsewhere.
 */
function isMoreSpecific(first: string, second: string): boolean {
  const segments = first.split('/');
  const others = second.split('/');
  return (
    segments.length === others.length &&
    others.every((other, index) => isParameter(other) || other === segments[index]) &&
    countParameters(first) < countParameters(second)
  );
}
