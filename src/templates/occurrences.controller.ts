import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { UuidParam } from '../records/record-ids.js';
import { Computes, Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import {
  ComputeOccurrencesDto,
  OccurrencesQuery,
  OccurrencesResponse,
} from './dto/occurrences.dto.js';
import { OccurrencesService } from './occurrences.service.js';

const DESCRIPTION =
  'Every occurrence whose date lies between `from` and `to`, both included, with the reasons why a date was ' +
  'moved, and the months that the rule leaves out. ';

@ApiTags('Planning')
@ApiBearerAuth()
@Controller()
export class OccurrencesController {
  constructor(private readonly occurrences: OccurrencesService) {}

  @Get('expense-templates/:id/occurrences')
  @Reads(OccurrencesResponse, {
    summary: 'List the occurrences of an expense template',
    description: `${DESCRIPTION}Inactive templates have occurrences too.`,
    errors: ['RESOURCE_NOT_FOUND'],
  })
  listExpenseTemplateOccurrences(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'expenseTemplate') id: string,
    @Query() query: OccurrencesQuery,
  ): Promise<OccurrencesResponse> {
    return this.occurrences.ofExpenseTemplate(user, id, query);
  }

  @Get('income-templates/:id/occurrences')
  @Reads(OccurrencesResponse, {
    summary: 'List the occurrences of an income template',
    description: `${DESCRIPTION}Inactive templates have occurrences too.`,
    errors: ['RESOURCE_NOT_FOUND'],
  })
  listIncomeTemplateOccurrences(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'incomeTemplate') id: string,
    @Query() query: OccurrencesQuery,
  ): Promise<OccurrencesResponse> {
    return this.occurrences.ofIncomeTemplate(user, id, query);
  }

  @Post('occurrences')
  @Computes(OccurrencesResponse, {
    summary: 'Compute the occurrences of a rule',
    description: `${DESCRIPTION}Nothing is stored: this is for a form that edits a rule.`,
  })
  computeOccurrences(@Body() dto: ComputeOccurrencesDto): OccurrencesResponse {
    return this.occurrences.compute(dto);
  }
}
