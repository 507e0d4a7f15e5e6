import { Injectable } from '@nestjs/common';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { recurrenceOf, storedConfig, type RecurrenceColumns } from './base-template.entity.js';
import {
  toOccurrencesResponse,
  type ComputeOccurrencesDto,
  type OccurrencesQuery,
  type OccurrencesResponse,
} from './dto/occurrences.dto.js';
import { ExpenseTemplatesService } from './expense-templates.service.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { scheduleOf } from './recurrence/recurrence.js';

/** The dates of recurrences and the reasons for them. */
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
    const rule = {
      recurrenceType: dto.recurrence_type,
      recurrenceConfig: storedConfig(dto.recurrence_config),
      referenceDate: dto.reference_date,
      startsOn: dto.starts_on ?? null,
      endsOn: dto.ends_on ?? null,
      weekendRule: dto.weekend_rule ?? 'keep',
    };
    return schedule(rule, dto);
  }
}

const schedule = (rule: RecurrenceColumns, { from, to }: OccurrencesQuery): OccurrencesResponse =>
  toOccurrencesResponse(scheduleOf(recurrenceOf(rule), { start: from, end: to }));
