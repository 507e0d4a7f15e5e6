import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { ActivityService } from '../activity/activity.service.js';
import { changesOfCreation } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import {
  ResourceNotFoundError,
  ValidationFailedError,
  type FieldErrors,
} from '../common/errors/domain-error.js';
import { fieldErrors } from '../common/http/request-validation.pipe.js';
import { Database } from '../database/database.js';
import { PaymentMethodsService } from '../payment-methods/payment-methods.service.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { configClassOf } from './dto/recurrence-config.dto.js';
import type {
  CreateTemplateDto,
  ListTemplatesQuery,
  UpdateTemplateDto,
} from './dto/template.dto.js';
import type { RecurrenceConfig } from './recurrence/recurrence.js';
import { templateSnapshot } from './template-snapshot.js';
import type { Template } from './template.entity.js';
import { TemplatesRepository, type TemplateWithPaymentMethod } from './templates.repository.js';

/** Expense templates of a user (see docs/api.md). */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly database: Database,
    private readonly repository: TemplatesRepository,
    private readonly paymentMethods: PaymentMethodsService,
    private readonly activity: ActivityService,
  ) {}

  /** Newest first; active and inactive ones unless the query says which. */
  list(user: AuthenticatedUser, query: ListTemplatesQuery): Promise<TemplateWithPaymentMethod[]> {
    const where: FindOptionsWhere<Template> = {};
    if (query.active !== undefined) where.active = query.active;
    if (query.category !== undefined) where.category = query.category;
    if (query.currency !== undefined) where.currency = query.currency;
    return this.repository.listWithPaymentMethods(this.database.manager, user.id, where);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<TemplateWithPaymentMethod> {
    return this.getWithPaymentMethod(this.database.manager, user, id);
  }

  /** What cycles generate their expenses from, oldest first. */
  listActive(manager: EntityManager, user: AuthenticatedUser): Promise<Template[]> {
    return this.repository.listActive(manager, user.id);
  }

  /** @throws ResourceNotFoundError or ValidationFailedError for the payment method */
  create(user: AuthenticatedUser, dto: CreateTemplateDto): Promise<TemplateWithPaymentMethod> {
    return this.database.transaction(async (manager) => {
      const paymentMethod = await this.paymentMethods.choose(manager, user, dto.payment_method_id);
      const inserted = await this.repository.insert(manager, user.id, {
        paymentMethodId: paymentMethod.id,
        description: dto.description,
        currency: dto.currency,
        baseAmount: dto.base_amount,
        category: dto.category,
        recurrenceType: dto.recurrence_type,
        recurrenceConfig: storedConfig(dto.recurrence_config),
        referenceDate: dto.reference_date,
        autopayInfo: dto.autopay_info ?? null,
      });
      const template = { ...inserted, paymentMethod };
      await this.activity.record(manager, user, [
        {
          entityType: 'recurrent_expense',
          entityId: template.id,
          action: 'created',
          changes: changesOfCreation(templateSnapshot(template)),
        },
      ]);
      return template;
    });
  }

  /**
   * Changes the template for the cycles to come; expenses generated before keep what they have.
   *
   * @throws ResourceNotFoundError for the template or the payment method; ValidationFailedError when
   *   the resulting recurrence config does not fit the resulting type
   */
  update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateTemplateDto,
  ): Promise<TemplateWithPaymentMethod> {
    return this.database.transaction(async (manager) => {
      if (!(await this.repository.lock(manager, user.id, { id }))) notFound();
      const template = await this.getWithPaymentMethod(manager, user, id);

      const recurrenceType = dto.recurrence_type ?? template.recurrenceType;
      const recurrenceConfig = dto.recurrence_config ?? template.recurrenceConfig;
      assertConfigFits(recurrenceType, recurrenceConfig);
      const chosenId = dto.payment_method_id ?? template.paymentMethodId;
      const paymentMethod =
        chosenId === template.paymentMethodId
          ? template.paymentMethod
          : await this.paymentMethods.choose(manager, user, chosenId);

      const changed = {
        paymentMethodId: paymentMethod.id,
        description: dto.description ?? template.description,
        currency: dto.currency ?? template.currency,
        baseAmount: dto.base_amount ?? template.baseAmount,
        category: dto.category ?? template.category,
        recurrenceType,
        recurrenceConfig: storedConfig(recurrenceConfig),
        referenceDate: dto.reference_date ?? template.referenceDate,
        autopayInfo: dto.autopay_info === undefined ? template.autopayInfo : dto.autopay_info,
        active: dto.active ?? template.active,
      };
      const mutation = describeMutation({
        before: templateSnapshot(template),
        after: templateSnapshot({ ...template, ...changed, paymentMethod }),
      });
      if (mutation) {
        await this.repository.update(manager, template, changed);
        await this.activity.record(manager, user, [
          { entityType: 'recurrent_expense', entityId: id, ...mutation },
        ]);
      }
      return { ...template, paymentMethod };
    });
  }

  /** Soft: it stays readable, and no cycle is generated from it. */
  async remove(user: AuthenticatedUser, id: string): Promise<void> {
    await this.update(user, id, { active: false });
  }

  private async getWithPaymentMethod(
    manager: EntityManager,
    user: AuthenticatedUser,
    id: string,
  ): Promise<TemplateWithPaymentMethod> {
    return (await this.repository.findWithPaymentMethod(manager, user.id, id)) ?? notFound();
  }
}

function notFound(): never {
  throw new ResourceNotFoundError('expense_template');
}

/** An optional field that is null is the same as one left out. */
function storedConfig(config: object): RecurrenceConfig {
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as unknown as RecurrenceConfig;
}

/** In an update `null` is no way to leave something out. */
function assertConfigFits(type: string, config: object): void {
  const checked = plainToInstance(configClassOf(type), { ...config });
  const errors = validateSync(checked, { whitelist: true, forbidNonWhitelisted: true });
  const fields: FieldErrors = fieldErrors(errors, 'recurrence_config.');
  for (const [key, value] of Object.entries(config)) {
    if (value === null) fields[`recurrence_config.${key}`] = [`${key} must not be null`];
  }
  if (Object.keys(fields).length > 0) throw new ValidationFailedError(fields);
}
