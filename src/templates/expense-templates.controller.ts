import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import {
  CreatesRecord,
  DeletesRecord,
  Reads,
  ReadsRecord,
  UpdatesRecord,
} from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { MAX_TEMPLATES } from './base-template.entity.js';
import {
  CreateExpenseTemplateDto,
  ListExpenseTemplatesQuery,
  ExpenseTemplateResponse,
  UpdateExpenseTemplateDto,
} from './dto/expense-template.dto.js';
import { ExpenseTemplatesService } from './expense-templates.service.js';

@ApiTags('Expense templates')
@ApiBearerAuth()
@Controller('expense-templates')
export class ExpenseTemplatesController {
  constructor(private readonly templates: ExpenseTemplatesService) {}

  @Get()
  @Reads([ExpenseTemplateResponse], {
    summary: 'List expense templates',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  listExpenseTemplates(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListExpenseTemplatesQuery,
  ): Promise<ExpenseTemplateResponse[]> {
    return this.templates.list(user, query);
  }

  @Post()
  @CreatesRecord(ExpenseTemplateResponse, {
    summary: 'Create an expense template',
    description:
      'The schema of `recurrence_config` depends on `recurrence_type`: `weekly` ' +
      '`{day_of_week}`, `bi_weekly` `{interval_days}`, `monthly` `{day_of_month, ' +
      'handle_month_end}`, `custom` `{interval, unit, ...}`. `bi_weekly` and `custom` count ' +
      'from `reference_date`, in both directions. No occurrence is dated before `starts_on` or ' +
      'after `ends_on`, after `weekend_rule` has moved it off a weekend: an instalment plan is a ' +
      '`monthly` template with `ends_on`. The payment method must be active.',
    errors: ['RESOURCE_NOT_FOUND', new LimitReachedError('recurrent_expense', MAX_TEMPLATES)],
  })
  createExpenseTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateExpenseTemplateDto,
  ): Promise<ExpenseTemplateResponse> {
    return this.templates.create(user, dto);
  }

  @Get(':id')
  @ReadsRecord(ExpenseTemplateResponse, {
    summary: 'Get an expense template',
    description: 'Also a deleted one, which has `active` false.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  getExpenseTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'expenseTemplate') id: string,
  ): Promise<ExpenseTemplateResponse> {
    return this.templates.get(user, id);
  }

  @Put(':id')
  @UpdatesRecord(ExpenseTemplateResponse, {
    summary: 'Update an expense template',
    description:
      'A partial update: omitted fields keep their values, `null` clears `autopay_info`, `starts_on` and ' +
      '`ends_on`. A new `recurrence_type` requires a matching config. Changes apply to cycles ' +
      'created later; generated expenses do not change. `active: true` restores a deleted ' +
      'template, `active: false` deletes it.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  updateExpenseTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'expenseTemplate') id: string,
    @Body() dto: UpdateExpenseTemplateDto,
    @IfMatch() precondition: Precondition,
  ): Promise<ExpenseTemplateResponse> {
    return this.templates.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete an expense template',
    description:
      'A soft deletion: no more expenses are generated from it, generated ones remain. ' +
      'Deleting it again changes nothing.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  deleteExpenseTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'expenseTemplate') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.templates.remove(user, id, precondition);
  }
}
