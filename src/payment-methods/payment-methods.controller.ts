import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { UuidParam } from '../common/http/uuid.pipe.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { CurrentUser, type AuthenticatedUser } from '../users/current-user.decorator.js';
import {
  CreatePaymentMethodDto,
  ListPaymentMethodsQuery,
  PaymentMethodResponse,
  toPaymentMethodResponse,
  UpdatePaymentMethodDto,
} from './dto/payment-method.dto.js';
import { PaymentMethodsService } from './payment-methods.service.js';

@ApiTags('Payment methods')
@ApiBearerAuth()
@Controller('payment-methods')
export class PaymentMethodsController {
  constructor(private readonly paymentMethods: PaymentMethodsService) {}

  @Get()
  @ApiOperation({
    summary: 'List payment methods, newest first',
    description: 'Active and inactive ones, unless `active` says which.',
  })
  @ApiOkResponse({ type: [PaymentMethodResponse] })
  list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListPaymentMethodsQuery,
  ): Promise<PaymentMethodResponse[]> {
    return this.paymentMethods.list(user, query);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a payment method',
    description:
      'The name is unique for its owner and stays taken when the payment method is deleted; ' +
      'on a conflict `details` has the `id` and `active` of the one that has it.',
  })
  @ApiErrors('RESOURCE_CONFLICT')
  @ApiCreatedResponse({ type: PaymentMethodResponse })
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() dto: CreatePaymentMethodDto,
  ): Promise<PaymentMethodResponse> {
    return toPaymentMethodResponse(await this.paymentMethods.create(user, dto));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a payment method, active or not',
    description: 'A deleted one has `active` false.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiOkResponse({ type: PaymentMethodResponse })
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
  ): Promise<PaymentMethodResponse> {
    return toPaymentMethodResponse(await this.paymentMethods.get(user, id));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change, restore or delete a payment method',
    description:
      'A partial update: what is left out stays, `null` clears `description`. `active: ' +
      'true` restores a deleted one, `active: false` deletes it.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND', 'RESOURCE_CONFLICT')
  @ApiOkResponse({ type: PaymentMethodResponse })
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
    @Body() dto: UpdatePaymentMethodDto,
  ): Promise<PaymentMethodResponse> {
    return toPaymentMethodResponse(await this.paymentMethods.update(user, id, dto));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a payment method (soft)',
    description:
      'It can no longer be chosen; templates and expenses that have it keep it. Deleting it ' +
      'again changes nothing.',
  })
  @ApiErrors('RESOURCE_NOT_FOUND')
  @ApiNoContentResponse()
  async remove(
    @CurrentUser() user: AuthenticatedUser,
    @UuidParam('id', 'paymentMethod') id: string,
  ): Promise<void> {
    await this.paymentMethods.remove(user, id);
  }
}
