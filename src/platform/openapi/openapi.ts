import { NotFoundException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { readProjectJson } from '../config/project-files.js';
import type { Settings } from '../config/settings.js';
import { publicPrefix } from '../http/public-url.js';
import { SWAGGER_UI_OPTIONS } from './swagger-ui.js';

/**
 * Prefix of every path of the API; health probes, calendars, what needs no
 * sign-in of an account, and the documentation are outside it.
 */
export const API_PREFIX = 'api/v1';

export const DOCS_PATH = 'docs';

const DOCUMENT_NAME = 'openapi.json';

/** The document of this version, which `npm run openapi` writes. */
export const DOCUMENT = `docs/${DOCUMENT_NAME}`;

const { resolve } = createRequire(import.meta.url);

type Addresses = Pick<Settings, 'publicUrl'>;

/** The files of Swagger UI that its page requests; its source maps and other files are not served. */
const SWAGGER_UI_FILES = [
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'],
  ...['favicon-16x16.png', 'favicon-32x32.png'],
];

/** The files of the page that `SwaggerModule` makes. */
const PAGE_FILES = ['', 'swagger-ui-init.js'];

const SERVED_PATHS = new Set(
  [...PAGE_FILES, ...SWAGGER_UI_FILES, DOCUMENT_NAME].map((name) => `/${name}`),
);

/** Changes the OpenAPI document before it is served. */
export type CompleteDocument = (document: OpenAPIObject) => void;

/** Serves Swagger UI and the OpenAPI document, each file of which is read for its first request. */
export function setUpDocs(
  app: NestExpressApplication,
  addresses: Addresses,
  completeDocument?: CompleteDocument,
): void {
  app.use(`/${DOCS_PATH}`, restrictFiles);
  const express = app.getHttpAdapter().getInstance();
  const serve = (name: string, read: () => Buffer): void => {
    express.get(`/${DOCS_PATH}/${name}`, sendFromMemory(name, read));
  };
  serve(DOCUMENT_NAME, () => {
    const document = servedDocument(addresses);
    completeDocument?.(document);
    return Buffer.from(JSON.stringify(document));
  });
  for (const name of SWAGGER_UI_FILES) {
    serve(name, () => readFileSync(resolve(`swagger-ui-dist/${name}`)));
  }
  // The page reads the document from the URL if it is given none.
  SwaggerModule.setup(DOCS_PATH, app, {} as OpenAPIObject, {
    ...SWAGGER_UI_OPTIONS,
    swaggerUrl: `${publicPrefix(addresses)}/${DOCS_PATH}/${DOCUMENT_NAME}`,
    raw: false,
  });
}

/**
 * Sends a file from one buffer for all clients: anyone may request it, and a copy for each client
 * that reads slowly would take all memory of the process.
 */
function sendFromMemory(name: string, read: () => Buffer): RequestHandler {
  let bytes: Buffer | undefined;
  let etag = '';
  return (_request, response) => {
    if (!bytes) {
      bytes = read();
      etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    }
    response.set({ 'Cache-Control': 'no-cache', ETag: etag }).type(extname(name)).send(bytes);
  };
}

function restrictFiles({ path }: Request, _response: Response, next: NextFunction): void {
  const isServed = SERVED_PATHS.has(path.toLowerCase().replace(/(?<=.)\/$/, ''));
  next(isServed ? undefined : new NotFoundException());
}

/**
 * The document with the addresses of the service at a public URL; without one they belong to the
 * host of the request.
 */
function servedDocument({ publicUrl }: Addresses): OpenAPIObject {
  const served = readProjectJson(DOCUMENT) as OpenAPIObject;
  if (publicUrl === undefined) return served;
  served.info.description = served.info.description?.replace('](/', `](${publicUrl}/`);
  for (const server of served.servers ?? []) server.url = publicUrl;
  for (const scheme of Object.values(served.components?.securitySchemes ?? {})) {
    const flow = 'flows' in scheme ? scheme.flows?.password : undefined;
    if (flow) flow.tokenUrl = publicUrl + (flow.tokenUrl ?? '');
  }
  return served;
}
