import { Injectable } from '@nestjs/common';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { recurrenceOf, storedConfig, type RecurrenceColumns } from './base-template.entity.js';
import type { ComputeOccurrencesDto, OccurrencesQuery } from './dto/occurrences.dto.js';
import { IncomeTemplatesService } from './income-templates.service.js';
import { scheduleOf, type Schedule } from './recurrence/recurrence.js';
import { TemplatesService } from './templates.service.js';

/** The dates of recurrences and the reasons for them. */
@Injectable()
export class OccurrencesService {
  constructor(
    private readonly templates: TemplatesService,
    private readonly incomeTemplates: IncomeTemplatesService,
  ) {}

  /** @throws ResourceNotFoundError */
  async ofExpenseTemplate(
    user: AuthenticatedUser,
    id: string,
    query: OccurrencesQuery,
  ): Promise<Schedule> {
    return schedule(await this.templates.getEntity(user, id), query);
  }

  /** @throws ResourceNotFoundError */
  async ofIncomeTemplate(
    user: AuthenticatedUser,
    id: string,
    query: OccurrencesQuery,
  ): Promise<Schedule> {
    return schedule(await this.incomeTemplates.getEntity(user, id), query);
  }

  /** The occurrences of a rule that is not stored. */
  compute(dto: ComputeOccurrencesDto): Schedule {
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

const schedule = (rule: RecurrenceColumns, { from, to }: OccurrencesQuery): Schedule =>
  scheduleOf(recurrenceOf(rule), { start: from, end: to });
