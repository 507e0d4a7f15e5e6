import { MethodNotAllowedException } from '@nestjs/common';
import type { Express, NextFunction, Request, Response } from 'express';

/**
 * Makes every registered path respond with 405 and `Allow` to methods it has no route for. Must be called after
 * the routes are registered and before the handler of unknown paths.
 */
export function registerMethodNotAllowed(express: Express): void {
  // A path may match several routes: `/cycles/next` matches `/cycles/:id`, too.
  for (const [path, methods] of methodsByPath(express)) {
    express.route(path).all((_request: Request, response: Response, next: NextFunction) => {
      response.locals.allowed = new Set([...allowedBy(response), ...methods]);
      next();
    });
  }
  express.use((_request: Request, response: Response, next: NextFunction) => {
    const allowed = [...allowedBy(response)];
    if (allowed.length === 0) {
      next();
    } else {
      response.setHeader('Allow', allowed.join(', '));
      next(new MethodNotAllowedException());
    }
  });
}

const allowedBy = ({ locals }: Response): ReadonlySet<string> =>
  (locals.allowed ?? new Set()) as ReadonlySet<string>;

function methodsByPath(express: Express): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { route } of express.router.stack) {
    if (!route) continue;
    const added = route.stack.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : method ? [method.toUpperCase()] : [],
    );
    methods.set(route.path, [...(methods.get(route.path) ?? []), ...added]);
  }
  return methods;
}
