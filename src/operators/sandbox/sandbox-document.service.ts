import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { CalendarFeedsService } from '../../calendar/calendar-feeds.service.js';
import { CreateCalendarFeedDto } from '../../calendar/dto/calendar-feed.dto.js';
import { Database } from '../../platform/database/database.js';
import { validateBody } from '../../platform/dto/request-validation.pipe.js';
import type { AuthenticatedUser } from '../../users/authenticated-user.js';

/**
 * SQL: an id of each type of record, of expenses and incomes those of the active cycle; the sandbox
 * has one household.
 */
const VALUES = `
  SELECT 'cycles' AS name, min(id::text) AS value FROM cycles WHERE status = 'active'
  UNION ALL SELECT 'cycle_ids', string_agg(id::text, ',' ORDER BY start_date) FROM cycles
  UNION ALL SELECT 'expenses', min(e.id::text)
    FROM cycle_expenses e JOIN cycles c ON c.id = e.cycle_id WHERE c.status = 'active' AND e.active
  UNION ALL SELECT 'incomes', min(i.id::text)
    FROM cycle_incomes i JOIN cycles c ON c.id = i.cycle_id WHERE c.status = 'active' AND i.active
  UNION ALL SELECT 'payment-methods', min(payment_method_id::text) FROM card_statements
  UNION ALL SELECT 'statements', min(closing_date::text) FROM card_statements
  UNION ALL SELECT 'budgets', min(id::text) FROM budgets
  UNION ALL SELECT 'balances', min(id::text) FROM balances
  UNION ALL SELECT 'expense-templates', min(id::text) FROM expense_templates
  UNION ALL SELECT 'income-templates', min(id::text) FROM income_templates`;

/**
 * Gives the required parameters in the OpenAPI document values of the household, so that the first
 * "Execute" of each GET in Swagger UI succeeds. Those of the document are of another household.
 */
@Injectable()
export class SandboxDocumentService {
  /** The values by the segment of a path before the parameter, or by the name of a parameter of a query. */
  private values: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly database: Database,
    private readonly feeds: CalendarFeedsService,
  ) {}

  /** Reads the values, and creates a calendar, whose token is in no later response. */
  async prepare(user: AuthenticatedUser): Promise<void> {
    const dto = await validateBody(CreateCalendarFeedDto, { name: 'Sandbox' });
    const { url } = await this.feeds.create(user, dto, '');
    const rows = await this.database.systemTransaction((manager) =>
      manager.query<{ name: string; value: string }[]>(VALUES),
    );
    this.values = new Map([
      ...rows.map(({ name, value }) => [name, value] as const),
      ['calendar', tokenOf(url)],
    ]);
  }

  complete({ paths }: OpenAPIObject): void {
    for (const [path, { get }] of Object.entries(paths)) {
      for (const parameter of get?.parameters ?? []) {
        if (!('name' in parameter) || !parameter.required) continue;
        const segment = new RegExp(`([^/]+)/\\{${parameter.name}\\}`).exec(path)?.[1];
        const value = this.values.get(segment ?? parameter.name);
        if (value !== undefined) parameter.example = value;
      }
    }
  }
}

/** The token in the URL of a calendar. */
const tokenOf = (url: string): string => /([^/]+)\.ics$/.exec(url)?.[1] ?? '';
