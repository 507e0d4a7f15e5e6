import { Controller, Get, HttpCode, Post, StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { FileBody, TakesFile, type ReceivedFile } from '../platform/http/file-body.js';
import { JSON_TYPE, RateLimited } from '../platform/http/route-decorators.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import { DataDocument, ImportResponse } from './dto/document.dto.js';
import { ExportService } from './export.service.js';
import { ImportService } from './import.service.js';

const MAX_IMPORT_BYTES = 50_000_000;

/** A client that reads more slowly does not keep the document on disk for ever. */
const MAX_SENDING_MS = 5 * 60_000;

@ApiTags('Data')
@ApiBearerAuth()
@RateLimited('reports')
@Controller()
export class PortabilityController {
  constructor(
    private readonly exports: ExportService,
    private readonly imports: ImportService,
  ) {}

  @Get('export')
  @ApiOperation({
    summary: "Export all of one's own data",
    description:
      "A JSON document with one's own payment methods, templates, cycles with their expenses and incomes, and " +
      'comments on them, as of one point in time, in the order of creation. Deleted payment methods and templates ' +
      'are included (`active` false). It has no activity log, household, session, calendar feed or exchange rate. ' +
      'Counts towards the rate limit on reports.',
  })
  @ApiOkResponse({ type: DataDocument })
  async exportData(@CurrentUser() user: AuthenticatedUser): Promise<StreamableFile> {
    const file = await this.exports.export(user);
    const stream = file.readOnce();
    const timer = setTimeout(() => stream.destroy(), MAX_SENDING_MS).unref();
    stream.once('close', () => clearTimeout(timer));
    return new StreamableFile(stream, {
      type: `${JSON_TYPE}; charset=utf-8`,
      disposition: 'attachment; filename="expenses.json"',
      length: file.size,
    });
  }

  @Post('import')
  @HttpCode(200)
  @TakesFile(MAX_IMPORT_BYTES)
  @ApiBody({ type: DataDocument })
  @ApiOperation({
    summary: "Import exported data into one's own account",
    description:
      'Up to 50,000,000 bytes, into an account without payment methods, templates and cycles, all or nothing. Every ' +
      'record gets a new id, the time of the import and a `created` record in the activity log; amounts keep their ' +
      'conversion to USD. The members of the document must have the order of an export. If anything is wrong, ' +
      '`details.fields` has its place, such as `expenses.17.amount`, counted from 0. An `Idempotency-Key` compares ' +
      'bodies byte by byte. Counts towards the rate limit on reports.',
  })
  @ApiErrors('RESOURCE_CONFLICT')
  @ApiOkResponse({ type: ImportResponse })
  async importData(
    @CurrentUser() user: AuthenticatedUser,
    @FileBody() file: ReceivedFile,
  ): Promise<ImportResponse> {
    return { imported: await this.imports.import(user, file) };
  }
}
