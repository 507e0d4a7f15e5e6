import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  CreateTemplateDto,
  ListTemplatesQuery,
  TemplateResponse,
  toTemplateResponse,
  UpdateTemplateDto,
} from './dto/template.dto.js';
import { TemplatesService } from './templates.service.js';

@ApiTags('Expense templates')
@ApiBearerAuth()
@Controller('expense-templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Get()
  @ApiOperation({
    summary: 'List templates, newest first',
    description: 'Active and inactive ones, unless `active` says which.',
  })
  @ApiOkResponse({ type: [TemplateResponse] })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListTemplatesQuery,
  ): Promise<TemplateResponse[]> {
    return (await this.templates.list(user, query)).map(toTemplateResponse);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a template',
    description:
      '`recurrence_config` has the shape that `recurrence_type` wants: `weekly` ' +
      '`{day_of_week}`, `bi_weekly` `{interval_days}`, `monthly` `{day_of_month, ' +
      'handle_month_end}`, `custom` `{interval, unit, ...}`. `bi_weekly` and `custom` count ' +
      'from `reference_date`, in both directions. The payment method must be active.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiCreatedResponse({ type: TemplateResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateTemplateDto,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.create(user, dto));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a template, active or not',
    description: 'A deleted one has `active` false.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: TemplateResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'template') id: string,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.get(user, id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change, restore or delete a template',
    description:
      'A partial update: what is left out stays, `null` clears `autopay_info`. A ' +
      '`recurrence_type` that changes wants a config that fits it. Changes hold for cycles ' +
      'to come; expenses already generated stay as they are. `active: true` restores a ' +
      'deleted template, `active: false` deletes it.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: TemplateResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'template') id: string,
    @Body() dto: UpdateTemplateDto,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.update(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a template (soft)',
    description:
      'Nothing is generated from it any more; what was generated stays. Deleting it again ' +
      'changes nothing.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'template') id: string,
  ): Promise<void> {
    await this.templates.remove(user, id);
  }
}
