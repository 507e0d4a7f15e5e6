import { Controller, Get, Post, Res, type StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IMPORTS } from '../expenses/expense-csv.js';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { JSON_TYPE } from '../platform/http/body.interceptor.js';
import { fileDownload } from '../platform/http/file-download.js';
import { disconnection } from '../platform/http/request-end.js';
import { concurrencyLimit } from '../platform/rate-limits/concurrency-limit.decorator.js';
import { RateLimited } from '../platform/rate-limits/rate-limited.decorator.js';
import { LongRequest } from '../platform/rate-limits/requests-in-progress.guard.js';
import { ChangesRecords, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { DataExportService } from './data-export.service.js';
import { accountHasData, DataImportService, type PreparedImport } from './data-import.service.js';
import { DataDocument, ImportResponse } from './dto/document.dto.js';
import { ImportBody, ImportDocument } from './import-document.interceptor.js';

/** Each one reads the database on a connection. */
const EXPORTS = concurrencyLimit({ work: 'exports', max: 2, maxWaiting: 20, maxWaitingOfUser: 4 });

@ApiTags('Data')
@ApiBearerAuth()
@RateLimited('reports')
@Controller()
export class PortabilityController {
  constructor(
    private readonly exports: DataExportService,
    private readonly imports: DataImportService,
  ) {}

  @Get('export')
  @EXPORTS
  @LongRequest({ name: 'export', max: 2 })
  @Reads(DataDocument, {
    summary: "Export all of one's own data",
    description:
      "A JSON document with one's own payment methods, budgets, templates, cycles with their expenses and incomes, " +
      'balances, stored statements of cards, and comments on them, as of one point in time, in the order of ' +
      'creation, statements by card and closing date. Deleted payment methods, ' +
      'budgets and templates are included (`active` false). Remaining balances, the `difference` of balances and the ' +
      'derived `overdue` are left out. It has no ' +
      'activity log, household, session, calendar feed or exchange rate. The document has to be read within five ' +
      'minutes; then the connection is closed. A process reads two exports at a time, one of each user; others ' +
      'wait, 20 at most, or get a 503 with `Retry-After: 5`. Counts towards the rate limit on reports.',
  })
  async exportData(
    @CurrentUser() user: AuthenticatedUser,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const file = await this.exports.export(user, disconnection(response));
    return fileDownload(response, file, { type: JSON_TYPE, name: 'expenses.json' });
  }

  @Post('import')
  @LongRequest(IMPORTS)
  @ApiBody({ type: DataDocument })
  @ChangesRecords(ImportResponse, {
    summary: "Import exported data into one's own account",
    description:
      'Up to 10,000,000 bytes after decompression, into an account without payment methods, budgets, templates and ' +
      'cycles, all or nothing. Every record gets a new id, the time of the import and a `created` record in the ' +
      'activity log; the ids of the document only connect its rows. Amounts keep their conversion to USD, which ' +
      'must agree with its rate. The other values follow the rules of the requests that create such records, but ' +
      'payment methods and budgets may be inactive, and cards may have begun longer ago. Documents of ' +
      '`schema_version` 1, without budgets and balances, and 2, without balances, are imported too. ' +
      'Deleted entries are not in an export, so that a synchronization may add them again. The members of the ' +
      'document may have any order; the rows of a section are added in theirs. If anything is wrong, ' +
      '`details.fields` has its place, such as `expenses.17.amount`, counted from 0; a repeated id, name or ' +
      'occurrence has that of its row. After the row with the 20th problem no further row is checked. One import ' +
      'runs at a time in a process, during which other writes of the user wait; while another one is running, or ' +
      'while others send large bodies, it is a 503 with `Retry-After: 5`. An `Idempotency-Key` compares bodies ' +
      'byte by byte, after decompression. Counts towards the rate limit on reports.',
    errors: [accountHasData()],
    idempotency: Idempotent(),
    body: ImportBody(),
  })
  importData(
    @CurrentUser() user: AuthenticatedUser,
    @ImportDocument() document: PreparedImport,
  ): Promise<ImportResponse> {
    return this.imports.import(user, document);
  }
}
