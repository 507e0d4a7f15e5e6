import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { LimitReachedError } from '../platform/errors/domain-error.js';
import { JsonBody } from '../platform/http/body.interceptor.js';
import { HasEtag } from '../platform/http/etag.interceptor.js';
import { IfMatch } from '../platform/http/if-match.decorator.js';
import { HasOperationId } from '../platform/http/operation-id.interceptor.js';
import { Precondition } from '../platform/values/precondition.js';
import { UuidParam } from '../records/record-ids.js';
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
  @ApiOperation({
    summary: 'List payment methods',
    description: 'Newest first; active and inactive ones unless filtered by `active`.',
  })
  @ApiOkResponse({ type: [PaymentMethodResponse] })
  listPaymentMethods(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListPaymentMethodsQuery,
  ): Promise<PaymentMethodResponse[]> {
    return this.paymentMethods.list(user, query);
  }

  @Post()
  @Idempotent()
  @JsonBody()
  @HasEtag()
  @HasOperationId()
  @ApiOperation({
    summary: 'Create a payment method',
    description:
      'The name is unique per user, including deleted payment methods; on a conflict ' +
      '`details` has the `id` and `active` of the existing one.',
  })
  @ApiErrors('RESOURCE_CONFLICT', new LimitReachedError('payment_method', MAX_PAYMENT_METHODS))
  @ApiCreatedResponse({ type: PaymentMethodResponse })
  createPaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreatePaymentMethodDto,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.create(user, dto);
  }

  @Get(':id')
  @HasEtag()
  @ApiOperation({
    summary: 'Get a payment method',
    description: 'Also a deleted one, which has `active` false.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: PaymentMethodResponse })
  getPaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.get(user, id);
  }

  @Put(':id')
  @JsonBody()
  @HasEtag()
  @HasOperationId()
  @ApiOperation({
    summary: 'Update a payment method',
    description:
      'A partial update: omitted fields keep their values, `null` clears `description`. ' +
      '`active: true` restores a deleted one, `active: false` deletes it.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', 'RESOURCE_CONFLICT')
  @ApiOkResponse({ type: PaymentMethodResponse })
  updatePaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
    @Body() dto: UpdatePaymentMethodDto,
    @IfMatch() precondition: Precondition,
  ): Promise<PaymentMethodResponse> {
    return this.paymentMethods.update(user, id, dto, precondition);
  }

  @Delete(':id')
  @HttpCode(204)
  @HasOperationId()
  @ApiOperation({
    summary: 'Delete a payment method',
    description:
      'A soft deletion: it cannot be used for new templates and expenses, existing ones keep ' +
      'it. Deleting it again changes nothing.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  deletePaymentMethod(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.paymentMethods.remove(user, id, precondition);
  }
}
