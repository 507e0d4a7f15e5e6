import { Injectable } from '@nestjs/common';
import { Database, type Scope } from '../platform/database/database.js';
import { TemporaryFile } from '../platform/files/temporary-file.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { SCHEMA_VERSION } from './document-versions.js';
import { SECTIONS } from './dto/document.dto.js';
import { pagesOf } from './portability.queries.js';

/** Exports the data of a user as a JSON document that an account without data can import. */
@Injectable()
export class DataExportService {
  constructor(private readonly database: Database) {}

  /**
   * Writes the document to a temporary file, in bounded memory and from one snapshot of the
   * database. The caller closes the file. Sent from a file, the document keeps no connection of the
   * database waiting for a slow client, and an error of the database cannot truncate a response
   * that has begun.
   *
   * @param signal ends the export
   * @throws the reason of the signal
   */
  export(user: AuthenticatedUser, signal: AbortSignal): Promise<TemporaryFile> {
    return this.database.snapshot(user, (scope) => TemporaryFile.from(documentOf(scope, signal)));
  }
}

/** The text of the document, with one row per line. */
async function* documentOf(scope: Scope, signal: AbortSignal): AsyncGenerator<string> {
  yield `{"schema_version":${SCHEMA_VERSION},"exported_at":"${new Date().toISOString()}"`;
  for (const section of SECTIONS) {
    yield `,\n"${section}":[`;
    let separator = '\n';
    for await (const rows of pagesOf(scope, section)) {
      signal.throwIfAborted();
      yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}
