import { Injectable } from '@nestjs/common';
import type { Big } from 'big.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { storedChanges, storedConfig } from './base-template.entity.js';
import {
  toOccurrencesResponse,
  type ComputeOccurrencesDto,
  type OccurrencesQuery,
  type OccurrencesResponse,
} from './dto/occurrences.dto.js';
import { ExpenseTemplatesService } from './expense-templates.service.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { templateSchedule, type OccurrenceColumns } from './template-occurrences.js';

/** The dates and amounts of recurrences, and the reasons for them. */
@Injectable()
export class OccurrencesService {
  constructor(
    private readonly templates: ExpenseTemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
  ) {}

  /** @throws ResourceNotFoundError */
  async ofExpenseTemplate(
    user: AuthenticatedUser,
    id: string,
    query: OccurrencesQuery,
  ): Promise<OccurrencesResponse> {
    return schedule(await this.templates.getEntity(user, id), query);
  }

  /** @throws ResourceNotFoundError */
  async ofIncomeTemplate(
    user: AuthenticatedUser,
    id: string,
    query: OccurrencesQuery,
  ): Promise<OccurrencesResponse> {
    return schedule(await this.incomeTemplates.getEntity(user, id), query);
  }

  /** The occurrences of a rule that is not stored. */
  compute(dto: ComputeOccurrencesDto): OccurrencesResponse {
    const template = {
      baseAmount: dto.base_amount ?? null,
      amountChanges: storedChanges(dto.amount_changes ?? []),
      lastAmount: dto.last_amount ?? null,
      recurrenceType: dto.recurrence_type,
      recurrenceConfig: storedConfig(dto.recurrence_config),
      referenceDate: dto.reference_date,
      startsOn: dto.starts_on ?? null,
      endsOn: dto.ends_on ?? null,
      skippedDates: dto.skipped_dates ?? [],
      weekendRule: dto.weekend_rule ?? 'keep',
    };
    return schedule(template, dto);
  }
}

const schedule = (
  template: OccurrenceColumns<Big | null>,
  { from, to }: OccurrencesQuery,
): OccurrencesResponse =>
  toOccurrencesResponse(templateSchedule(template, { start: from, end: to }));
