import { Controller, Get, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { MAX_ENTRIES } from '../ledger/entities/cycle-entry.entity.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { CsvRows, type CsvRow } from '../platform/files/csv.js';
import { CSV_TYPE, CsvBody } from '../platform/http/body.interceptor.js';
import { LongRequest } from '../platform/rate-limits/requests-in-progress.guard.js';
import { UuidParam } from '../records/record-ids.js';
import { ChangesRecords } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import {
  ExportExpensesQuery,
  ImportExpensesQuery,
  ImportExpensesResponse,
} from './dto/expense-import.dto.js';
import { EXPENSE_CSV, EXPENSE_CSV_EXAMPLE, IMPORTS, toExpenseCsv } from './expense-csv.js';
import { ExpenseImportService } from './expense-import.service.js';
import { ExpensesService } from './expenses.service.js';

const MAX_CSV_BYTES = 1_000_000;
const BYTE_ORDER_MARK = '\uFEFF';

@ApiTags('Cycle expenses')
@ApiBearerAuth()
@Controller('cycles/:cycle_id')
export class ExpenseCsvController {
  constructor(
    private readonly expenses: ExpensesService,
    private readonly imports: ExpenseImportService,
  ) {}

  @Get('expenses.csv')
  @ApiOperation({
    summary: 'Export the expenses of a cycle as CSV',
    description:
      'RFC 4180 in UTF-8 with a header line and CRLF, by due date. The columns are `due_date`, `description`, ' +
      '`category`, `currency`, `amount`, `amount_usd`, `payment_method` (its name), `status`, `paid_at`, `comments`, ' +
      '`autopay_info` and `budget` (its name). Text that a spreadsheet would take for a formula, because it begins ' +
      'with `=`, `+`, `-` or `@`, has an apostrophe before it, which an import removes.',
  })
  @ApiErrors('CYCLE_NOT_FOUND')
  @ApiProduces(CSV_TYPE)
  @ApiOkResponse({ schema: { type: 'string', example: EXPENSE_CSV_EXAMPLE } })
  async exportExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Query() query: ExportExpensesQuery,
  ): Promise<StreamableFile> {
    const { expenses } = await this.expenses.list(user, cycleId, {});
    const mark = query.bom ? BYTE_ORDER_MARK : '';
    return new StreamableFile(Buffer.from(mark + toExpenseCsv(expenses)), {
      type: `${CSV_TYPE}; charset=utf-8`,
      disposition: 'attachment; filename="expenses.csv"',
    });
  }

  @Post('expenses/import')
  @LongRequest(IMPORTS)
  @ChangesRecords(ImportExpensesResponse, {
    summary: 'Import expenses from CSV into a cycle',
    description:
      'Up to 1,000,000 bytes and 2,000 rows, all or none. The columns `due_date`, `description`, `category`, ' +
      '`currency`, `amount` and `payment_method` are required, `comments`, `autopay_info`, `paid_at` and `budget` ' +
      'are optional, in any order. `amount_usd` and `status` are ignored: amounts are converted by the rates of ' +
      'the due dates, and cancelled expenses become pending. A column without a name is ignored while its values ' +
      'are empty; any other column is refused. `payment_method` is the name of an active payment method: exactly, ' +
      'or else regardless of case if only one matches; `budget` likewise that of an active budget. An ' +
      'inactive one is refused: restore it before the import. An expense with ' +
      '`paid_at` is paid. A value of white space is none. Lines end in CRLF or LF; a byte order mark, empty lines ' +
      'and rows without values are skipped. If anything is wrong, nothing is stored, and the `VALIDATION_ERROR` ' +
      'has `details.rows` with the messages by line of the file (the header is line 1) and column; the column is ' +
      '`row` where the line is no CSV or has another number of values. Of many rows the first 100 are named. An ' +
      'exported file can be imported.',
    errors: [
      'CYCLE_NOT_FOUND',
      'CYCLE_ALREADY_COMPLETED',
      new LimitReachedError('cycle_expense', MAX_ENTRIES),
    ],
    idempotency: Idempotent({ isDryRun: ({ query }) => query.dry_run === 'true' }),
    body: CsvBody(MAX_CSV_BYTES, {
      description:
        'CSV with a header line. The columns `due_date`, `description`, `category`, `currency`, `amount` and ' +
        '`payment_method` are required, `comments`, `autopay_info`, `paid_at` and `budget` optional, in any order; ' +
        '`amount_usd` and `status` are ignored',
      example: EXPENSE_CSV_EXAMPLE,
    }),
  })
  importExpenses(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('cycle_id', 'cycle') cycleId: string,
    @Query() query: ImportExpensesQuery,
    @CsvRows(EXPENSE_CSV) rows: CsvRow[],
  ): Promise<ImportExpensesResponse> {
    return this.imports.import(user, cycleId, rows, query.dry_run ?? false);
  }
}
