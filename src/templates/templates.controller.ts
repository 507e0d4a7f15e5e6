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
  @ApiOperation({ summary: 'List templates, newest first' })
  @ApiOkResponse({ type: [TemplateResponse] })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListTemplatesQuery,
  ): Promise<TemplateResponse[]> {
    return (await this.templates.list(user, query)).map(toTemplateResponse);
  }

  @Post()
  @ApiOperation({ summary: 'Create a template' })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiCreatedResponse({ type: TemplateResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreateTemplateDto,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.create(user, dto));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a template, active or not' })
  @ApiOkResponse({ type: TemplateResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id') id: string,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.get(user, id));
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change, restore or delete a template' })
  @ApiOkResponse({ type: TemplateResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id') id: string,
    @Body() dto: UpdateTemplateDto,
  ): Promise<TemplateResponse> {
    return toTemplateResponse(await this.templates.update(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a template (soft)' })
  @ApiNoContentResponse()
  async remove(@CurrentUser() user: AuthenticatedUser, @UuidParam('id') id: string): Promise<void> {
    await this.templates.remove(user, id);
  }
}
