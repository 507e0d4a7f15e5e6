import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createOpenApiDocument } from '../../openapi/document.js';
import type { Method } from './client.js';

/** An operation in the OpenAPI document of the running application. */
export interface Operation {
  /** The operation id: `updateCycle`. */
  id: string;
  /** The method and the path below the prefix: `PUT /cycles/{id}`. */
  name: string;
  method: Method;
  /** The path with the prefix. */
  path: string;
  /** Undefined if the operation has no request body. */
  body?: { type: string; fields: string[]; required: string[] };
  /** The names of the parameters. */
  parameters: Record<'path' | 'query' | 'header', string[]>;
}

interface Documented {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}

interface Body {
  properties?: object;
  required?: string[];
  oneOf?: { $ref: string }[];
}

const documents = new WeakMap<NestExpressApplication, OpenAPIObject>();

/** The OpenAPI document of an application; creating it takes half a second. */
export function documentOf(app: NestExpressApplication): OpenAPIObject {
  const document = documents.get(app) ?? createOpenApiDocument(app);
  documents.set(app, document);
  return document;
}

export function operationsOf(app: NestExpressApplication): Operation[] {
  const { paths, components } = documentOf(app);
  const schemas = components?.schemas as Record<string, Body | undefined>;
  const schemaOf = ({ $ref = '' }: { $ref?: string }): Body =>
    schemas[$ref.split('/').at(-1) ?? ''] ?? {};

  function bodyOf({ requestBody }: Documented): Operation['body'] {
    const [content] = Object.entries(requestBody?.content ?? {});
    if (!content) return undefined;
    const [type, { schema }] = content;
    const body = schemaOf(schema);
    // Variants have the same fields.
    const { properties = {}, required = [] } = body.oneOf?.[0] ? schemaOf(body.oneOf[0]) : body;
    return { type, fields: Object.keys(properties), required };
  }

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<Method, Documented>).map(([method, documented]) => {
      const namesIn = (location: string): string[] =>
        (documented.parameters ?? []).filter((one) => one.in === location).map(({ name }) => name);
      return {
        id: documented.operationId,
        name: `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`,
        method: method as Method,
        path,
        body: bodyOf(documented),
        parameters: { path: namesIn('path'), query: namesIn('query'), header: namesIn('header') },
      };
    }),
  );
}

/** The method and the path in an operation's name. */
export function splitName(name: string): { method: Method; path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method: method.toLowerCase() as Method, path };
}
