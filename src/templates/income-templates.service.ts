import { Injectable } from '@nestjs/common';
import { sendTogether } from '#postgres';
import { ActivityService } from '../activity/activity.service.js';
import { changeOf, creationOf, type Change } from '../activity/mutation.js';
import { recordNotFound, type Undo } from '../activity/undo.js';
import { ChosenBudgets } from '../budgets/chosen-budgets.js';
import { ChosenPaymentMethods } from '../payment-methods/chosen-payment-methods.js';
import { Database, type Scope } from '../platform/database/database.js';
import { assertWithinLimit, ResourceNotFoundError } from '../platform/errors/domain-error.js';
import type { Precondition } from '../platform/values/precondition.js';
import { idIfChanged } from '../records/chosen-records.js';
import { fieldsIn } from '../records/record-fields.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { MAX_TEMPLATES } from './base-template.entity.js';
import {
  toIncomeTemplateResponse,
  type CreateIncomeTemplateDto,
  type ListIncomeTemplatesQuery,
  type IncomeTemplateResponse,
  type UpdateIncomeTemplateDto,
} from './dto/income-template.dto.js';
import { IncomeTemplate } from './income-template.entity.js';
import { assertWithoutNull } from './recurrence-validation.js';
import { IncomeTemplatesRepository } from './templates.repository.js';

/**
 * Income templates of a user. A change of one reaches existing cycles only when they are
 * synchronized.
 */
@Injectable()
export class IncomeTemplatesService {
  constructor(
    private readonly database: Database,
    private readonly repository: IncomeTemplatesRepository,
    private readonly paymentMethods: ChosenPaymentMethods,
    private readonly budgets: ChosenBudgets,
    private readonly activity: ActivityService,
  ) {}

  /** The user's templates, newest first; active and inactive ones unless filtered. */
  async list(
    user: AuthenticatedUser,
    query: ListIncomeTemplatesQuery,
  ): Promise<IncomeTemplateResponse[]> {
    const templates = await this.database.read(user, (scope) =>
      this.repository.listMatching(scope, query),
    );
    return templates.map(toIncomeTemplateResponse);
  }

  /** The user's templates with these ids, in any order; other ids are ignored. */
  async listByIds(scope: Scope, ids: readonly string[]): Promise<IncomeTemplateResponse[]> {
    const templates = await this.repository.listByIds(scope, ids);
    return templates.map(toIncomeTemplateResponse);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<IncomeTemplateResponse> {
    return toIncomeTemplateResponse(await this.getEntity(user, id));
  }

  /** @throws ResourceNotFoundError */
  async getEntity(user: AuthenticatedUser, id: string): Promise<IncomeTemplate> {
    const template = await this.database.read(user, (scope) => this.repository.find(scope, id));
    return template ?? notFound();
  }

  /**
   * @throws ResourceNotFoundError or ValidationFailedError for the payment method or the budget;
   *   LimitReachedError
   */
  create(user: AuthenticatedUser, dto: CreateIncomeTemplateDto): Promise<IncomeTemplateResponse> {
    return this.database.transaction(user, async (scope) => {
      const { payment_method_id: methodId = null, budget_id: budgetId = null } = dto;
      const [method, budget, stored] = await sendTogether([
        this.paymentMethods.lock(scope, methodId), // 404
        this.budgets.lock(scope, budgetId), // 404
        this.repository.count(scope),
      ]);
      assertWithinLimit('recurrent_income', { stored, limit: MAX_TEMPLATES }); // 409
      method?.assertActive(); // 422
      budget?.assertActive(); // 422
      const fields = fieldsIn(IncomeTemplate.fields, dto);
      const template = IncomeTemplate.create(fields, { method, budget });
      this.repository.insert(scope, template);
      this.activity.record(scope, [creationOf(template)]);
      return toIncomeTemplateResponse(template);
    });
  }

  /**
   * Updates a template. Cycles created later use it; generated entries do not change.
   *
   * @throws ResourceNotFoundError for the template, the payment method or the budget;
   *   ValidationFailedError when one of these is inactive, the resulting recurrence config does not
   *   fit the resulting type, or the end would be before the start
   */
  async update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateIncomeTemplateDto,
    precondition: Precondition,
  ): Promise<IncomeTemplateResponse> {
    if (dto.recurrence_config) assertWithoutNull(dto.recurrence_config); // 422
    return this.database.transaction(user, async (scope) => {
      const template = (await this.repository.lock(scope, id)) ?? notFound(); // 404
      const chosen = idIfChanged(template.paymentMethodId, dto.payment_method_id);
      const method = await this.paymentMethods.lock(scope, chosen); // 404
      const budget = await this.budgets.lock(scope, idIfChanged(template.budgetId, dto.budget_id)); // 404
      await precondition.assert(() => toIncomeTemplateResponse(template)); // 412
      method?.assertActive(); // 422
      const before = template.copy();
      template.chooseBudget(budget); // 422
      template.update(fieldsIn(IncomeTemplate.fields, dto), method); // 422
      this.save(scope, { before, after: template });
      return toIncomeTemplateResponse(template);
    });
  }

  /**
   * A soft deletion: it can still be read, and nothing is generated from it.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string, precondition: Precondition): Promise<void> {
    await this.update(user, id, { active: false }, precondition);
  }

  /**
   * Takes back what a record of the activity log says of a template; one whose creation is undone
   * is inactive.
   *
   * @throws ResourceNotFoundError; DomainError RESOURCE_CONFLICT when it has changed since;
   *   ValidationFailedError when the payment method or the budget of before is inactive, or the
   *   values that result contradict each other
   */
  async undo(scope: Scope, undo: Undo): Promise<void> {
    const template = (await this.repository.lock(scope, undo.entityId)) ?? recordNotFound(); // 404
    undo.assertPossible(template); // 409
    const method = await this.paymentMethods.lockRecorded(
      scope,
      template.paymentMethodId,
      undo.values,
    );
    const budget = await this.budgets.lockRecorded(scope, template.budgetId, undo.values);
    method?.assertActive(); // 422
    const before = template.copy();
    template.chooseBudget(budget); // 422
    template.restore(undo.values, method); // 422
    this.save(scope, { before, after: template, undo });
  }

  /** Stores a changed template that is locked; if nothing changed, nothing. */
  private save(scope: Scope, change: Change<IncomeTemplate>): void {
    const record = changeOf(change);
    if (!record) return;
    this.repository.update(scope, change.after);
    this.activity.record(scope, [record]);
  }
}

function notFound(): never {
  throw new ResourceNotFoundError('recurrent_income');
}
