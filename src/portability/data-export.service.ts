import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Database, type Scope } from '../platform/database/database.js';
import { TemporaryFile } from '../platform/files/temporary-file.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { SCHEMA_VERSION, SECTIONS } from './dto/document.dto.js';
import { pagesOf } from './portability.queries.js';

/** Exports that read the database at a time; each one uses a connection. */
const MAX_READS = 2;

/** Exports the data of a user as a JSON document (see docs/api.md). */
@Injectable()
export class DataExportService {
  private readonly limit = pLimit(MAX_READS);

  constructor(private readonly database: Database) {}

  /**
   * Writes the document to a temporary file, in bounded memory and from one snapshot of the database. The caller
   * closes the file. Sent from a file, the document keeps no connection of the database waiting for a slow client, and
   * an error of the database cannot truncate a response that has begun.
   */
  export(user: AuthenticatedUser): Promise<TemporaryFile> {
    return this.limit(() =>
      this.database.snapshot(user, (scope) => TemporaryFile.from(documentOf(scope))),
    );
  }
}

/** The text of the document, with one row per line. */
async function* documentOf(scope: Scope): AsyncGenerator<string> {
  yield `{"schema_version":${SCHEMA_VERSION},"exported_at":"${new Date().toISOString()}"`;
  for (const section of SECTIONS) {
    yield `,\n"${section}":[`;
    let separator = '\n';
    for await (const rows of pagesOf(scope, section)) {
      yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}
