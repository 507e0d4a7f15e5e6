import { setTimeout as sleep } from 'node:timers/promises';
import request, { type Response } from 'supertest';
import type { ErrorBody } from '../../../src/platform/errors/error-body.js';
import type { ErrorCode } from '../../../src/platform/errors/error-types.js';
import { operationsOf, type Operation } from '../operations.js';
import { UNKNOWN_UUID } from '../sample-entities.js';
import type { Service } from '../service.js';
import { normalized, type Period } from './normalized.js';

/** What a request has besides its operation. */
export interface Sent {
  /** Values of the placeholders of the path and of the query. */
  parameters?: Record<string, string | number | boolean>;
  body?: unknown;
  /** The content type of the body. */
  type?: 'json' | 'form' | 'text/csv';
}

/** The example of an operation in `openapi/examples.json`. */
export interface Example {
  parameters?: Sent['parameters'];
  request?: unknown;
  response?: unknown;
  errors?: Partial<Record<ErrorCode, ErrorBody>>;
}

/**
 * Sends requests, and keeps the first one to each operation that is recorded, with its response.
 */
export class ExampleRecorder {
  private readonly examples: Record<string, Example> = {};
  private readonly periods: Period[] = [];
  private readonly operations: Map<string, Operation>;
  private readonly replacements = new Map<string, string>();

  constructor(private readonly service: Service) {
    this.operations = new Map(operationsOf(service.app).map((each) => [each.id, each]));
  }

  /** Replaces a text that differs at each recording, such as a token. */
  replace(text: string, example: string): void {
    this.replacements.set(text, example);
  }

  /** Sends a request that is not an example. */
  async send<Body>(id: string, sent: Sent = {}, token?: string): Promise<Body> {
    const response = await this.respond(id, sent, token);
    return response.body as Body;
  }

  /**
   * Sends a request and records it with its response as the example of the operation. Before it,
   * records the errors of an invalid request and of one for an unknown record.
   */
  async record<Body>(id: string, sent: Sent = {}, token?: string): Promise<Body> {
    if (id in this.examples) throw new Error(`${id} is recorded already`);
    const operation = this.operationOf(id);
    const errors: Example['errors'] = {};
    for (const refused of [invalid(operation, sent), unknownRecord(operation, sent)]) {
      if (!refused) continue;
      const response = await this.request(operation, refused, token);
      // What turns reminders off does not show whether a token is valid.
      if (response.ok) continue;
      const body = response.body as ErrorBody;
      const { code } = body.error;
      if (code === 'VALIDATION_ERROR' || code === 'RESOURCE_NOT_FOUND') errors[code] = body;
    }
    const response = await this.respond(id, sent, token);
    const isJson = response.type === 'application/json';
    const hasContent = response.status !== 204;
    this.examples[id] = {
      ...(sent.parameters && { parameters: sent.parameters }),
      ...(sent.body !== undefined && { request: sent.body }),
      ...(hasContent && { response: isJson ? (response.body as unknown) : response.text }),
      ...(Object.keys(errors).length > 0 && { errors }),
    };
    return response.body as Body;
  }

  /** The examples by operation id, in which the ids and times are the same at each recording. */
  get recorded(): Record<string, Example> {
    return normalized(this.examples, this.periods, this.replacements);
  }

  private operationOf(id: string): Operation {
    const operation = this.operations.get(id);
    if (!operation) throw new Error(`Unknown operation ${id}`);
    return operation;
  }

  private async respond(id: string, sent: Sent, token?: string): Promise<Response> {
    // Apart from each other, so that a time belongs to one request.
    await sleep(3);
    const from = Date.now();
    const response = await this.request(this.operationOf(id), sent, token);
    this.periods.push({ from, to: Date.now() });
    if (!response.ok) throw new Error(`${id}: ${response.text}`);
    return response;
  }

  private async request(
    operation: Operation,
    { parameters = {}, body, type = 'json' }: Sent,
    token?: string,
  ): Promise<Response> {
    const query = { ...parameters };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = String(query[name]);
      Reflect.deleteProperty(query, name);
      return value;
    });
    const sent = request(this.service.server)
      [operation.method](path)
      .query(query)
      .set('User-Agent', 'Mozilla/5.0')
      .type(type);
    if (token !== undefined) sent.set('Authorization', `Bearer ${token}`);
    return sent.send(body as object | undefined);
  }
}

/**
 * The request with a first field or parameter that is refused; undefined if it has none and reads
 * no body.
 */
function invalid(operation: Operation, sent: Sent): Sent | undefined {
  const { body = {}, parameters } = sent;
  const [field] = Object.keys(Object(body) === body ? (body as object) : {});
  if (field !== undefined) {
    const isRequired = operation.body?.required.includes(field);
    return { ...sent, body: { ...(body as object), [field]: isRequired ? undefined : {} } };
  }
  const { path, query } = operation.parameters;
  const [name] = [...path, ...Object.keys(parameters ?? {}), ...query];
  if (name !== undefined) return { ...sent, parameters: { ...parameters, [name]: 'x' } };
  if (operation.method === 'get' || operation.method === 'delete') return undefined;
  return { ...sent, body: { unknown: true } };
}

/** The request for a record that does not exist; undefined if its path names none. */
function unknownRecord({ parameters: { path } }: Operation, sent: Sent): Sent | undefined {
  const name = path.at(-1);
  if (name === undefined) return undefined;
  const unknown = name === 'token' ? 'x'.repeat(43) : UNKNOWN_UUID;
  return { ...sent, parameters: { ...sent.parameters, [name]: unknown } };
}
