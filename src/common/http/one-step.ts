import type { RequestHandler } from 'express';

/** Middleware that runs one after the other, for which the router otherwise looks anew each time. */
export const inOneStep = (...steps: readonly RequestHandler[]): RequestHandler =>
  steps.reduceRight((rest, step) => (request, response, next) => {
    void step(request, response, (error?: unknown) => {
      if (error) next(error);
      else void rest(request, response, next);
    });
  });
