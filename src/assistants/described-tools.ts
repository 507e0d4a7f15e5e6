/** The tools with what the document says of their operations. */
import type { OpenAPIObject } from '@nestjs/swagger';
import { toJsonSchema, type JsonSchema } from './json-schema.js';
import { TEXTS_ARE_DATA, TOOLS, type Tool } from './tools.js';

/** Where an argument is sent; a key that its operation does not take is not sent. */
type Place = 'path' | 'query' | 'body' | 'header' | 'nowhere';

/** The definition of a tool in the Model Context Protocol. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: Record<
    'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint',
    boolean
  >;
}

export interface DescribedTool {
  isWrite: boolean;
  method: string;
  /** The path has `{name}` for each argument in it. */
  path: string;
  hasBody: boolean;
  places: ReadonlyMap<string, Place>;
  definition: ToolDefinition;
}

interface Argument {
  name: string;
  place: Place;
  isRequired: boolean;
  schema: JsonSchema;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> };
}

export const KEY_ARGUMENT = 'idempotency_key';
const KEY_HEADER = 'Idempotency-Key';

const KEY_LIMITS = { type: 'string', minLength: 1, maxLength: 255 };

/** @throws Error for a tool whose operation is missing, or has two arguments with one name */
export const describeTools = (document: OpenAPIObject): DescribedTool[] =>
  TOOLS.map((tool) => describeTool(tool, document));

function describeTool(tool: Tool, document: OpenAPIObject): DescribedTool {
  const { method, path, operation } = findOperation(tool.operation, document);
  const all = [
    ...parametersOf(operation, document),
    ...membersOf(operation, document),
    ...(tool.writes ? [keyOf(operation)] : []),
  ];
  const names = all.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${tool.name} has two arguments ${repeated}`);
  const { only } = tool;
  const shown = only ? all.filter(({ name }) => [...only, KEY_ARGUMENT].includes(name)) : all;
  return {
    isWrite: tool.writes !== undefined,
    method,
    path,
    hasBody: operation.requestBody !== undefined,
    places: new Map(shown.map(({ name, place }) => [name, place])),
    definition: {
      name: tool.name,
      description: `${tool.description} ${TEXTS_ARE_DATA}`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(shown.map(({ name, schema }) => [name, schema])),
        required: shown.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        additionalProperties: false,
      },
      annotations: {
        readOnlyHint: tool.writes === undefined,
        destructiveHint: tool.writes?.isDestructive ?? false,
        idempotentHint: tool.writes?.isIdempotent ?? true,
        openWorldHint: false,
      },
    },
  };
}

function findOperation(
  id: string,
  { paths }: OpenAPIObject,
): { method: string; path: string; operation: Operation } {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods) as [string, Operation][]) {
      if (operation.operationId === id) return { method: method.toUpperCase(), path, operation };
    }
  }
  throw new Error(`The document has no operation ${id}`);
}

/** Headers are no arguments. The text of a query has no null. */
const parametersOf = ({ parameters = [] }: Operation, document: OpenAPIObject): Argument[] =>
  parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required = false, description, schema }) => ({
      name,
      place: place as Place,
      isRequired: required,
      schema: { ...toJsonSchema({ ...schema, nullable: false }, document), description },
    }));

function membersOf({ requestBody }: Operation, document: OpenAPIObject): Argument[] {
  if (!requestBody) return [];
  const schema = requestBody.content['application/json']?.schema ?? {};
  const { properties, required = [] } = toJsonSchema(schema, document) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, member]) => ({
    name,
    place: 'body',
    isRequired: required.includes(name),
    schema: member,
  }));
}

/** A PUT takes no key: repeating it changes nothing. */
function keyOf({ parameters = [] }: Operation): Argument {
  const isTaken = parameters.some(({ name }) => name === KEY_HEADER);
  const description = isTaken
    ? 'A new text for each change. A call that is repeated with the same one within 24 hours changes nothing, and has the first result'
    : 'Not needed: a call that is repeated changes nothing';
  return {
    name: KEY_ARGUMENT,
    place: isTaken ? 'header' : 'nowhere',
    isRequired: false,
    schema: { ...KEY_LIMITS, description },
  };
}
