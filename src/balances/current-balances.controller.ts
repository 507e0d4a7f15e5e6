import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Reads } from '../route-decorators.js';
import type { AuthenticatedUser } from '../users/authenticated-user.js';
import { CurrentUser } from '../users/current-user.decorator.js';
import { CurrentBalancesResponse } from './dto/current-balances.dto.js';
import { HoldingsService } from './holdings.service.js';

@ApiTags('Balances')
@ApiBearerAuth()
@Controller('balances/current')
export class CurrentBalancesController {
  constructor(private readonly holdings: HoldingsService) {}

  @Get()
  @Reads(CurrentBalancesResponse, {
    summary: 'Get what there is now',
    description:
      'What there is in each active payment method that has a balance: its latest balance, plus what was received ' +
      'and minus what was paid with it after that instant, by `received_at` and `paid_at`, in all cycles. The main ' +
      'one is the oldest `debit` one, else `transfer`, `cash`, `credit`: with it counts also what has no payment ' +
      'method, and what was settled with payment methods that never had a balance. It receives the `income_amount` ' +
      'of each cycle that began after the day of its balance and before today. USD counts in pesos, and pesos in ' +
      'USD, by the rate in force on its own date.',
    errors: ['CURRENCY_CONVERSION_ERROR'],
  })
  getCurrentBalances(@CurrentUser() user: AuthenticatedUser): Promise<CurrentBalancesResponse> {
    return this.holdings.current(user);
  }
}
