import type { Scope } from '../platform/database/database.js';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { In, type EntityTarget, type FindOptionsWhere } from 'typeorm';
import type { EntityType } from '../activity/activity-record.entity.js';
import type { ActivityEntry, ActivityService } from '../activity/activity.service.js';
import { changesOfCreation, type Snapshot } from '../activity/changes.js';
import { describeMutation } from '../activity/mutation.js';
import type { PaymentMethod } from '../payment-methods/payment-method.entity.js';
import {
  assertActive,
  type PaymentMethodsService,
} from '../payment-methods/payment-methods.service.js';
import type { Database } from '../platform/database/database.js';
import {
  assertWithinLimit,
  ResourceNotFoundError,
  ValidationFailedError,
} from '../platform/errors/domain-error.js';
import type { ResourceName } from '../platform/errors/error-details.js';
import type { FieldErrors } from '../platform/errors/field-reasons.js';
import { fieldErrors } from '../platform/dto/field-errors.js';
import { BODY_OPTIONS } from '../platform/dto/request-validation.pipe.js';
import { NO_PRECONDITION, type Precondition } from '../platform/values/precondition.js';
import { withoutUndefined } from '../platform/values/without-undefined.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import { configClassOf } from './dto/recurrence-config.dto.js';
import {
  toTemplateColumns,
  type CreateRecurrentTemplateDto,
  type ListRecurrentTemplatesQuery,
  type UpdatedTemplateFields,
} from './dto/recurrent-template.dto.js';
import {
  MAX_TEMPLATES,
  storedConfig,
  type RecurrentTemplate,
} from './recurrent-template.entity.js';
import {
  RecurrentTemplatesRepository,
  type WithPaymentMethod,
} from './recurrent-templates.repository.js';

/** The differences between expense and income templates. */
interface TemplateKind<Template extends RecurrentTemplate, OwnFields> {
  entity: EntityTarget<Template>;
  entityType: EntityType;
  /** `details.resource` of the error for a missing template. */
  resource: ResourceName;
  snapshot: (template: WithPaymentMethod<Template>) => Snapshot;
  toResponse: (template: WithPaymentMethod<Template>) => { updated_at: string };
  /** The columns that only this kind has, of a new template or of a changed one. */
  ownColumns: (fields: OwnFields, template?: Template) => Partial<Template>;
}

interface Services {
  database: Database;
  paymentMethods: PaymentMethodsService;
  activity: ActivityService;
}

type CreateFields = CreateRecurrentTemplateDto & { payment_method_id?: string | null };
type UpdateFields = Partial<Omit<CreateFields, 'weekend_rule'>> & UpdatedTemplateFields;

/** The templates of one kind of a user (see docs/api.md). */
export abstract class RecurrentTemplatesService<
  Template extends RecurrentTemplate,
  OwnFields,
  CreateDto extends CreateFields & OwnFields,
  UpdateDto extends UpdateFields & OwnFields,
> {
  private readonly repository: RecurrentTemplatesRepository<Template>;

  protected constructor(
    private readonly kind: TemplateKind<Template, OwnFields>,
    protected readonly services: Services,
  ) {
    this.repository = new RecurrentTemplatesRepository(kind.entity);
  }

  /** The user's templates, newest first; active and inactive ones unless filtered. */
  list(
    user: AuthenticatedUser,
    query: ListRecurrentTemplatesQuery,
  ): Promise<WithPaymentMethod<Template>[]> {
    // The filters have the names of the columns.
    const where = withoutUndefined(query) as FindOptionsWhere<Template>;
    return this.repository.listWithPaymentMethods(this.services.database.read(user), where);
  }

  /** The user's templates with these ids, in any order; other ids are ignored. */
  listByIds(
    user: AuthenticatedUser,
    ids: readonly string[],
  ): Promise<WithPaymentMethod<Template>[]> {
    const where = { id: In([...ids]) } as FindOptionsWhere<Template>;
    return this.repository.listWithPaymentMethods(this.services.database.read(user), where);
  }

  /** @throws ResourceNotFoundError */
  async get(user: AuthenticatedUser, id: string): Promise<WithPaymentMethod<Template>> {
    return this.getWithPaymentMethod(this.services.database.read(user), id);
  }

  /**
   * @throws ResourceNotFoundError or ValidationFailedError for the payment method; DomainError RESOURCE_CONFLICT at the
   *   limit
   */
  create(user: AuthenticatedUser, dto: CreateDto): Promise<WithPaymentMethod<Template>> {
    const { database, activity, paymentMethods } = this.services;
    const { payment_method_id: methodId } = dto;
    return database.transaction(user, async (scope) => {
      const [stored, paymentMethod] = await Promise.all([
        this.repository.count(scope),
        methodId ? paymentMethods.getForUse(scope, methodId) : null,
      ]);
      assertWithinLimit(this.kind.resource, { stored, limit: MAX_TEMPLATES });
      if (paymentMethod) assertActive(paymentMethod);
      const inserted = await this.repository.insert(scope, {
        ...this.kind.ownColumns(dto),
        paymentMethodId: paymentMethod?.id ?? null,
        ...toTemplateColumns(dto),
      });
      const template = { ...inserted, paymentMethod } as WithPaymentMethod<Template>;
      await activity.record(scope, [this.creationOf(template)]);
      return template;
    });
  }

  /**
   * Adds complete templates, except for those whose id exists.
   *
   * @returns the ids of the added ones; if one is missing, the caller must roll back
   */
  async addAll(
    scope: Scope,
    templates: readonly WithPaymentMethod<Template>[],
  ): Promise<Set<string>> {
    const added = await this.repository.insertIgnoringConflicts(scope.manager, templates);
    const entries = templates.map((template) => this.creationOf(template));
    await this.services.activity.record(scope, entries);
    return added;
  }

  /**
   * Updates a template. Cycles created later use it; generated entries do not change.
   *
   * @throws ResourceNotFoundError for the template or the payment method; ValidationFailedError when
   *   the resulting recurrence config does not fit the resulting type, or the end would be before
   *   the start
   */
  async update(
    user: AuthenticatedUser,
    id: string,
    dto: UpdateDto,
    precondition: Precondition = NO_PRECONDITION,
  ): Promise<WithPaymentMethod<Template>> {
    if (dto.recurrence_config) assertWithoutNull(dto.recurrence_config);
    const { database, activity } = this.services;
    return database.transaction(user, async (scope) => {
      const isFound = await this.repository.lock(scope, {
        id,
      } as FindOptionsWhere<Template>);
      if (!isFound) this.notFound();
      // A single statement that waits for the lock would join the payment method from before the wait.
      const template = await this.getWithPaymentMethod(scope, id);
      const isOtherMethod = ![undefined, template.paymentMethodId].includes(dto.payment_method_id);
      const paymentMethod = isOtherMethod
        ? await this.findMethod(scope, dto.payment_method_id)
        : template.paymentMethod;
      await precondition.assert(() => this.kind.toResponse(template));
      const changed = {
        ...changedColumns(template, dto),
        ...this.kind.ownColumns(dto, template),
        paymentMethodId: paymentMethod?.id ?? null,
      } as Partial<Template>;
      const mutation = describeMutation({
        before: this.kind.snapshot(template),
        after: this.kind.snapshot({ ...template, ...changed, paymentMethod }),
      });
      if (mutation) {
        await this.repository.update(scope, template, changed);
        await activity.record(scope, [
          { entityType: this.kind.entityType, entityId: id, ...mutation },
        ]);
      }
      return { ...template, paymentMethod };
    });
  }

  /**
   * A soft deletion: it can still be read, and nothing is generated from it.
   *
   * @throws ResourceNotFoundError
   */
  async remove(user: AuthenticatedUser, id: string, precondition = NO_PRECONDITION): Promise<void> {
    await this.update(user, id, { active: false } as UpdateDto, precondition);
  }

  private creationOf(template: WithPaymentMethod<Template>): ActivityEntry {
    return {
      entityType: this.kind.entityType,
      entityId: template.id,
      action: 'created',
      changes: changesOfCreation(this.kind.snapshot(template)),
    };
  }

  private findMethod(scope: Scope, id: string | null | undefined): Promise<PaymentMethod> | null {
    return id ? this.services.paymentMethods.getActive(scope, id) : null;
  }

  private async getWithPaymentMethod(
    scope: Scope,
    id: string,
  ): Promise<WithPaymentMethod<Template>> {
    const where = { id } as FindOptionsWhere<Template>;
    return (await this.repository.findWithPaymentMethod(scope, where)) ?? this.notFound();
  }

  private notFound(): never {
    throw new ResourceNotFoundError(this.kind.resource);
  }
}

/** @throws ValidationFailedError when the resulting fields do not fit together */
function changedColumns(
  template: RecurrentTemplate,
  dto: UpdateFields,
): Partial<RecurrentTemplate> {
  const recurrenceType = dto.recurrence_type ?? template.recurrenceType;
  const recurrenceConfig = dto.recurrence_config ?? template.recurrenceConfig;
  const startsOn = dto.starts_on === undefined ? template.startsOn : dto.starts_on;
  const endsOn = dto.ends_on === undefined ? template.endsOn : dto.ends_on;
  assertNoProblems({
    ...configProblems(recurrenceType, recurrenceConfig),
    ...limitProblems({ startsOn, endsOn }),
  });
  return {
    description: dto.description ?? template.description,
    currency: dto.currency ?? template.currency,
    baseAmount: dto.base_amount ?? template.baseAmount,
    recurrenceType,
    recurrenceConfig: storedConfig(recurrenceConfig),
    referenceDate: dto.reference_date ?? template.referenceDate,
    startsOn,
    endsOn,
    weekendRule: dto.weekend_rule ?? template.weekendRule,
    active: dto.active ?? template.active,
  };
}

/** In an update, null is not the same as omitted and is rejected. */
function assertWithoutNull(config: object): void {
  const paths = Object.entries(config)
    .filter(([, value]) => value === null)
    .map(([key]) => `recurrence_config.${key}`);
  assertNoProblems(
    Object.fromEntries(
      paths.map((path) => [path, [{ reason: 'null', message: `${path} must not be null` }]]),
    ),
  );
}

function configProblems(type: string, config: object): FieldErrors {
  const dto = plainToInstance(configClassOf(type), { ...config });
  return fieldErrors(validateSync(dto, BODY_OPTIONS), 'recurrence_config.');
}

function limitProblems({
  startsOn,
  endsOn,
}: Pick<RecurrentTemplate, 'startsOn' | 'endsOn'>): FieldErrors {
  if (startsOn === null || endsOn === null || endsOn >= startsOn) return {};
  return {
    ends_on: [{ reason: 'out_of_order', message: 'ends_on must not be before starts_on' }],
  };
}

/** @throws ValidationFailedError */
function assertNoProblems(problems: FieldErrors): void {
  if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
}
