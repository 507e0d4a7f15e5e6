import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { useService } from '../../support/service.js';

interface Route {
  name: string;
  controller: string;
  method: RequestMethod;
  segments: string[];
}

const isParameter = (segment: string): boolean => segment.includes(':');

/** Whether there is a request that both routes match. */
function overlap(first: Route, second: Route): boolean {
  return (
    first.method === second.method &&
    first.segments.length === second.segments.length &&
    first.segments.every((segment, index) => {
      const other = second.segments[index] ?? '';
      return segment === other || isParameter(segment) || isParameter(other);
    })
  );
}

/** Whether the first route has text wherever the second one has it. */
const isMoreSpecific = (first: Route, second: Route): boolean =>
  first.segments.every(
    (segment, index) => !isParameter(segment) || isParameter(second.segments[index] ?? ''),
  );

describe('the routes', () => {
  const service = useService();

  /** In the order in which Nest registers them. */
  function routes(): Route[] {
    return [...service.app.get(ModulesContainer).values()]
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap(({ metatype }) => {
        const controller = metatype as unknown as { name: string; prototype: object };
        const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
        return Object.values(Object.getOwnPropertyDescriptors(controller.prototype))
          .map(({ value }) => value as object)
          .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
          .map((handler) => {
            const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
            const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
            const segments = `${prefix}/${path}`.split('/').filter((segment) => segment !== '');
            const name = `${RequestMethod[method]} /${segments.join('/')}`;
            return { name, controller: controller.name, method, segments };
          });
      });
  }

  it('the routes do not depend on the order of modules or controllers', () => {
    const all = routes();
    expect(all.map(({ name }) => name)).toContain('GET /cycles/next');
    const pairs = all.flatMap((first, index) =>
      all
        .slice(index + 1)
        .filter((second) => overlap(first, second))
        .map((second) => ({ first, second })),
    );
    const dependent = pairs
      .filter(
        ({ first, second }) =>
          first.controller !== second.controller || !isMoreSpecific(first, second),
      )
      .map(({ first, second }) => `${first.name}, ${second.name}`);
    expect(dependent).toEqual([]);
    expect(pairs.length).toBeGreaterThan(0);
  });
});
