import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { CommentsService } from '../comments/comments.service.js';
import { IncomeTemplatesService } from '../templates/income-templates.service.js';
import { Ledger } from '../ledger/ledger.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import { SETTINGS } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/settings.js';
import { Database } from '../platform/database/database.js';
import { DomainError, ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { UsersService } from '../users/users.service.js';
import { DocumentImport, MAX_PROBLEMS } from './document-import.js';
import { readDocument, type DocumentRow } from './document-reader.js';
import { noRows, type RowCounts } from './dto/document.dto.js';
import { hasData } from './portability.queries.js';
import { rowProblems } from './row-rules.js';
import type { ImportServices } from './section-imports.js';

/** The reader checks the length of a row after each chunk. */
const CHUNK_BYTES = 65_536;

/** Rows that are inserted with one statement. */
const BATCH_ROWS = 500;

/** Imports an exported document into an account without data (see docs/api.md). */
@Injectable()
export class DataImportService {
  private readonly services: ImportServices;

  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly ledger: Ledger,
    @Inject(SETTINGS) private readonly settings: Settings,
    paymentMethods: PaymentMethodsService,
    templates: TemplatesService,
    incomeTemplates: IncomeTemplatesService,
    comments: CommentsService,
  ) {
    this.services = { paymentMethods, templates, incomeTemplates, ledger, comments };
  }

  /**
   * Imports all rows or none, with new ids, and records their creation. The document is read twice: first every row is
   * validated, without the database, then the rows are added in one transaction.
   *
   * @returns the number of rows of each section
   * @throws ValidationFailedError with the places of the first problems in the document; DomainError RESOURCE_CONFLICT
   *   when the user has data
   */
  async import(user: AuthenticatedUser, document: Buffer): Promise<RowCounts> {
    await this.validate(document);
    return this.database.transaction(user, async (scope) => {
      await this.users.lockRecords(scope);
      if (await hasData(scope)) {
        throw new DomainError('RESOURCE_CONFLICT', 'Only an account without data can import', {
          resource: 'account',
        });
      }
      const counts = noRows();
      const target = new DocumentImport(this.services, scope, user);
      for await (const { section, rows } of batchesOf(
        readDocument(Readable.from(chunksOf(document))),
      )) {
        await target.add(section, rows);
        counts[section] += rows.length;
      }
      await this.ledger.refreshBalances(scope);
      return counts;
    });
  }

  /** @throws ValidationFailedError */
  private async validate(document: Buffer): Promise<void> {
    let problems: FieldErrors = {};
    for await (const row of readDocument(Readable.from(chunksOf(document)))) {
      problems = { ...problems, ...(await rowProblems(row, this.settings.cycleMaxDays)) };
      if (Object.keys(problems).length >= MAX_PROBLEMS) break;
    }
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
  }
}

function* chunksOf(document: Buffer): Generator<Buffer> {
  for (let start = 0; start < document.length; start += CHUNK_BYTES) {
    yield document.subarray(start, start + CHUNK_BYTES);
  }
}

interface Batch {
  section: DocumentRow['section'];
  rows: DocumentRow[];
}

/** Batches of rows of the same section. */
async function* batchesOf(rows: AsyncIterable<DocumentRow>): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  for await (const row of rows) {
    if (batch && (batch.section !== row.section || batch.rows.length === BATCH_ROWS)) {
      yield batch;
      batch = undefined;
    }
    batch ??= { section: row.section, rows: [] };
    batch.rows.push(row);
  }
  if (batch) yield batch;
}
