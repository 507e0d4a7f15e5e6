import { stringifyChunked } from '@discoveryjs/json-ext';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { TemporaryFile } from '../files/temporary-file.js';
import { JSON_TYPE } from './body.interceptor.js';
import { fileDownload } from './file-download.js';
import { holdFor, tooMuchMemory } from './held-memory.js';

/** A response with more characters is sent from a temporary file. */
const MAX_CHARACTERS_IN_MEMORY = 100_000;

/** The text of a longer list is made in parts: that of the longest ones takes 60 MB of the heap. */
const MAX_LENGTH_AT_ONCE = 100;

/**
 * The JSON of a response: text, or a file where it is large, so that a client that reads slowly
 * keeps little memory. A response that does not fit into the memory for its client is refused,
 * unless it is that of a write, which has taken effect.
 *
 * @throws DomainError SERVICE_UNAVAILABLE
 */
export function toJson(response: Response, body: object): string | Promise<StreamableFile> {
  const isRead = ['GET', 'HEAD'].includes(response.req.method);
  const holding = holdFor(response);
  let bytes = 0;
  const hold = (added: number): void => {
    bytes += added;
    if (!holding.resize(bytes) && isRead) throw tooMuchMemory();
  };
  const parts: Buffer[] = [];
  for (const text of textsOf(body)) {
    hold(Buffer.byteLength(text));
    if (parts.length === 0 && text.length <= MAX_CHARACTERS_IN_MEMORY) return text;
    parts.push(Buffer.from(text));
  }
  const file = TemporaryFile.from(parts).then((written) => {
    holding.release();
    return fileDownload(response, written, { type: JSON_TYPE });
  });
  return isRead
    ? file
    : file.catch(() => new StreamableFile(Buffer.concat(parts), { type: JSON_TYPE }));
}

/** The text in parts, all but the last longer than a text that is sent from memory. */
function* textsOf(body: object): Generator<string, void> {
  if (isLong(body)) yield* stringifyChunked(body, { highWaterMark: MAX_CHARACTERS_IN_MEMORY + 1 });
  else yield JSON.stringify(body);
}

/** Whether there is a long list in the body, or in an object in it. */
const isLong = (value: unknown, depth = 0): boolean =>
  Array.isArray(value)
    ? value.length > MAX_LENGTH_AT_ONCE
    : typeof value === 'object' &&
      value !== null &&
      depth < 2 &&
      Object.values(value).some((member) => isLong(member, depth + 1));
