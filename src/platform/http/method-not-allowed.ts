import { MethodNotAllowedException } from '@nestjs/common';
import type { Express, NextFunction, Request, Response } from 'express';

/**
 * Makes every registered path respond with 405 and `Allow` to methods it has no route for. Must be called after
 * the routes are registered and before the handler of unknown paths.
 */
export function registerMethodNotAllowed(express: Express): void {
  const methods = new Map<string, Set<string>>();
  for (const { route } of express.router.stack) {
    if (!route) continue;
    const allowed = methods.get(route.path) ?? new Set<string>();
    for (const { method } of route.stack) {
      if (!method) continue;
      allowed.add(method.toUpperCase());
      if (method === 'get') allowed.add('HEAD');
    }
    methods.set(route.path, allowed);
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed].join(', ');
    express.route(path).all((_request: Request, response: Response, next: NextFunction) => {
      response.setHeader('Allow', allow);
      next(new MethodNotAllowedException());
    });
  }
}
