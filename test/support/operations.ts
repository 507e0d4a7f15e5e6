import type { NestExpressApplication } from '@nestjs/platform-express';
import { createOpenApiDocument } from '../../src/docs/openapi.js';
import type { Method } from './client.js';

/** What can be done to the API, as the OpenAPI document of the running application has it. */
export interface Operation {
  /** As the tests call it: the method and the path below the prefix, `PUT /cycles/{id}`. */
  name: string;
  method: Method;
  /** The whole path. */
  path: string;
  /** Nothing where it takes no body. */
  body?: { type: string; fields: string[] };
  /** The names of its parameters. */
  parameters: Record<'path' | 'query', string[]>;
}

interface Documented {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

export function operationsOf(app: NestExpressApplication): Operation[] {
  const { paths, components } = createOpenApiDocument(app);
  const schemas = components?.schemas as Record<string, { properties: object }>;

  function bodyOf({ requestBody }: Documented): Operation['body'] {
    const [content] = Object.entries(requestBody?.content ?? {});
    if (!content) return undefined;
    const [type, { schema }] = content;
    const { properties } = schemas[schema.$ref.split('/').at(-1) ?? ''] ?? { properties: {} };
    return { type, fields: Object.keys(properties) };
  }

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<Method, Documented>).map(([method, documented]) => {
      const named = (place: string): string[] =>
        (documented.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);
      return {
        name: `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`,
        method: method as Method,
        path,
        body: bodyOf(documented),
        parameters: { path: named('path'), query: named('query') },
      };
    }),
  );
}

/** The method and the path in an operation's name. */
export function splitName(name: string): { method: Method; path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method: method.toLowerCase() as Method, path };
}
