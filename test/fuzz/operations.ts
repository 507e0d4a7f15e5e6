import { readFileSync } from 'node:fs';
import type { Method } from '../support/client.js';
import type { Components, Schema } from './schemas.js';

export interface Parameter {
  in: string;
  name: string;
  schema: Schema;
}

/** An operation with the schemas of its parameters and body. */
export interface Operation {
  /** `PUT /cycles/{id}` */
  name: string;
  method: Method;
  /** The path with the prefix. */
  path: string;
  parameters: Parameter[];
  body?: { type: string; schema: Schema };
}

interface Documented {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<Method, Documented>>;
  components: { schemas: Components };
}

const { paths, components } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

export const COMPONENTS = components.schemas;

export const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
    const [content] = Object.entries(requestBody?.content ?? {});
    return {
      name: `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`,
      method: method as Method,
      path,
      parameters,
      body: content && { type: content[0], schema: content[1].schema },
    };
  }),
);
