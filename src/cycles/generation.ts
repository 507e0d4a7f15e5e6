import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../common/errors/domain-error.js';
import type { Money } from '../common/money.js';
import {
  ExchangeRatesService,
  type UsdConverter,
} from '../exchange-rates/exchange-rates.service.js';
import { occurrences, type RecurrenceRule } from '../templates/recurrence/recurrence.js';
import type { Template } from '../templates/template.entity.js';
import { TemplatesService } from '../templates/templates.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { NewExpense } from './cycle-expenses.repository.js';
import type { Cycle } from './cycle.entity.js';

/** Makes a cycle's expenses from the user's active templates. */
@Injectable()
export class ExpenseGenerator {
  constructor(
    private readonly templates: TemplatesService,
    private readonly exchangeRates: ExchangeRatesService,
  ) {}

  /**
   * One expense an occurrence, by due date and then by description.
   *
   * @throws DomainError CYCLE_GENERATION_ERROR naming the template that cannot be converted
   */
  async generate(
    manager: EntityManager,
    user: AuthenticatedUser,
    cycle: Period,
  ): Promise<NewExpense[]> {
    const templates = await this.templates.listActive(manager, user);
    const due = templates.flatMap((template) => dueDates(template, cycle)).sort(byDateThenName);
    const converter = await this.exchangeRates.usdConverter(
      manager,
      due.map(({ template, date }) => ({ currency: template.currency, date })),
    );
    return due.map((occurrence) => toExpense(occurrence, converter));
  }
}

type Period = Pick<Cycle, 'startDate' | 'endDate'>;

interface Occurrence {
  template: Template;
  date: string;
}

function dueDates(template: Template, cycle: Period): Occurrence[] {
  // The config was checked against the type when it was stored.
  const rule = {
    type: template.recurrenceType,
    config: template.recurrenceConfig,
  } as RecurrenceRule;
  const period = { start: cycle.startDate, end: cycle.endDate };
  return occurrences(rule, template.referenceDate, period).map((date) => ({ template, date }));
}

/** Compared by code units, not by a locale: the order is the same on every machine and engine. */
function byDateThenName(a: Occurrence, b: Occurrence): number {
  return compareText(a.date, b.date) || compareText(a.template.description, b.template.description);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toExpense({ template, date }: Occurrence, converter: UsdConverter): NewExpense {
  return {
    templateId: template.id,
    paymentMethodId: template.paymentMethodId,
    description: template.description,
    currency: template.currency,
    amount: template.baseAmount,
    amountUsd: convertOrBlame(template, date, converter),
    dueDate: date,
    category: template.category,
    autopayInfo: template.autopayInfo,
    comments: null,
  };
}

function convertOrBlame(template: Template, date: string, converter: UsdConverter): Money {
  try {
    const { currency, baseAmount: amount } = template;
    return converter.toUsd({ amount, currency, date });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(
      'CYCLE_GENERATION_ERROR',
      `No expense can be generated from the template "${template.description}": ${error.message}`,
      {
        template: { id: template.id, description: template.description },
        due_date: date,
        cause: { code: error.code, message: error.message, details: error.details },
      },
    );
  }
}
