import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
import {
  CreatesRecord,
  DeletesRecord,
  Reads,
  ReadsRecord,
  UpdatesRecord,
} from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import {
  CreatePaymentMethodDto,
  ListPaymentMethodsQuery,
  PaymentMethodResponse,
  UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { MAX_PAYMENT_METHODS } from './payment-method.entity.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@ApiTags('Payment methods')
@ApiBearerAuth()
@Controller('payment-methods')
export class PaymentMethodsController {
  constructor(private readonly paymentMethods: PaymentMethodsService) {}

  @Get()
  @Reads([PaymentMethodResponse], {
    summary: 'List payment methods',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  listPaymentMethods(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListPaymentMethodsQuery,
  ): Promise<PaymentMethodResponse[]> {
    return this.paymentMethods.list(user, query);
  }

  @Post()
  @CreatesRecord(PaymentMethodResponse, {
    summary: 'Create a payment method',
    description:
      'The name is unique per user, including deleted payment methods; on a conflict ' +
      '`details` has the `id` and `active` of the existing one.',
    errors: [
      'RESOURCE_NOT_FOUND',
      'RESOURCE_CONFLICT',
      new LimitReachedError('payment_method', MAX_PAYMENT_METHODS),
    ],
  })
  createPaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreatePaymentMethodDto,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.create(user, dto);
  }

  @Get(':id')
  @ReadsRecord(PaymentMethodResponse, {
    summary: 'Get a payment method',
    description: 'Also a deleted one, which has `active` false.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  getPaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.get(user, id);
  }

  @Put(':id')
  @UpdatesRecord(PaymentMethodResponse, {
    summary: 'Update a payment method',
    description:
      'A partial update: omitted fields keep their values, `null` clears `description`. ' +
      '`active: true` restores a deleted one, `active: false` deletes it.',
    errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_CONFLICT'],
  })
  updatePaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
    @Body() dto: UpdatePaymentMethodDto,
    @IfMatch() precondition: Precondition,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @DeletesRecord({
    summary: 'Delete a payment method',
    description:
      'A soft deletion: it cannot be used for new templates and expenses, existing ones keep ' +
      'it. Deleting it again changes nothing.',
    errors: ['RESOURCE_NOT_FOUND'],
  })
  deletePaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.paymentMethods.remove(user, id, precondition);
  }
}
