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
  CreateIncomeTemplateDto,
  ListIncomeTemplatesQuery,
  IncomeTemplateResponse,
  UpdateIncomeTemplateDto,
} from './dto/income-template.dto.js';
import { IncomeTemplatesService } from './income-templates.service.js';

@ApiTags('Income templates')
@ApiBearerAuth()
@Controller('income-templates')
export class IncomeTemplatesController {
  constructor(private readonly templates: IncomeTemplatesService) {}

  @Get()
  @Reads([IncomeTemplateResponse], {
    summary: 'List income templates',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  listIncomeTemplates(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListIncomeTemplatesQuery,
  ): Promise<IncomeTemplateResponse[]> {
    return this.templates.list(user, query);
  }

  @Post()
  @CreatesRecord(IncomeTemplateResponse, {
    summary: 'Create an income template',
    description:
      'The schema of `recurrence_config` depends on `recurrence_type`: `weekly` ' +
      '`{day_of_week}`, `bi_weekly` `{interval_days}`, `monthly` `{day_of_month, ' +
      'handle_month_end}`, `custom` `{interval, unit, ...}`. `bi_weekly` and `custom` count ' +
      'from `reference_date`, in both directions. No occurrence is dated before `starts_on` or ' +
      'after `ends_on`, after `weekend_rule` has moved it off a weekend: `day_of_month` 31 ' +
      'with `handle_month_end` and `weekend_rule` `before` is the last weekday of the month. The ' +
      'payment method, if any, must be active.',
    errors: ['RESOURCE_NOT_FOUND', new LimitReachedError('recurrent_income', MAX_TEMPLATES)],
  })
  createIncomeTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateIncomeTemplateDto,
  ): Promise<IncomeTemplateResponse> {
    return this.templates.create(user, dto);
  }

  @Get(':id')
  @ReadsRecord(IncomeTemplateResponse, {
    summary: 'Get an income template',
    description: 'Also a deleted one, which has `active` false.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  getIncomeTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'incomeTemplate') id: string,
  ): Promise<IncomeTemplateResponse> {
    return this.templates.get(user, id);
  }

  @Put(':id')
  @UpdatesRecord(IncomeTemplateResponse, {
    summary: 'Update an income template',
    description:
      'A partial update: omitted fields keep their values, `null` clears `payment_method_id`, `starts_on` and ' +
      '`ends_on`. A new `recurrence_type` requires a matching config. Changes apply to cycles ' +
      'created later; generated incomes do not change. `active: true` restores a deleted ' +
      'template, `active: false` deletes it.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  updateIncomeTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'incomeTemplate') id: string,
    @Body() dto: UpdateIncomeTemplateDto,
    @IfMatch() precondition: Precondition,
  ): Promise<IncomeTemplateResponse> {
    return this.templates.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete an income template',
    description:
      'A soft deletion: no more incomes are generated from it, generated ones remain. ' +
      'Deleting it again changes nothing.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  deleteIncomeTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'incomeTemplate') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.templates.remove(user, id, precondition);
  }
}
