import { ApiExtension } from '@nestjs/swagger';

/** Holds a header of an operation until the OpenAPI document is completed. Its name follows. */
export const HEADER_EXTENSION = 'x-response-header-';

interface DocumentedHeader {
  description: string;
  schema: { type: string };
  example: unknown;
}

/** The documentation of a response header with text. */
export const textHeader = (description: string, example: string): DocumentedHeader => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Documents a header of the successful response, which other operations may have, too. */
export const ApiResponseHeader = (
  name: string,
  description: string,
  example: string,
): MethodDecorator => ApiExtension(HEADER_EXTENSION + name, textHeader(description, example));
