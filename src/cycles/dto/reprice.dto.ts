import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Change } from '../../activity/mutation.js';
import {
  UsedRateOrNullProperty,
  UsedRateResponse,
} from '../../exchange-rates/dto/exchange-rate.dto.js';
import { EntryTypeProperty } from '../../ledger/dto/entry-type.dto.js';
import type { CycleEntry, EntryType } from '../../ledger/entities/cycle-entry.entity.js';
import { BooleanField } from '../../platform/dto/fields.js';
import { OptionalBody } from '../../platform/dto/request-validation.pipe.js';
import { MoneyProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

@OptionalBody()
@ApiSchema({
  description: 'Options of a conversion by the rates stored now; the body may be missing',
})
export class RepriceDto {
  @BooleanField({ optional: true, example: true, description: 'true: nothing is stored' })
  dry_run?: boolean | null;
}

@ApiSchema({ description: 'An amount before and after' })
class AmountChange {
  @MoneyProperty({ example: '600.00', description: 'USD' })
  from!: string;

  @MoneyProperty({ example: '642.11', description: 'USD' })
  to!: string;
}

@ApiExtraModels(UsedRateResponse)
@ApiSchema({ description: 'A rate before and after' })
class RateChange {
  @UsedRateOrNullProperty()
  from!: UsedRateResponse | null;

  @UsedRateOrNullProperty()
  to!: UsedRateResponse | null;
}

@ApiSchema({ description: 'An entry whose amount in USD changes' })
class RepricedEntry {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The id of the expense or income' })
  id!: string;

  @EntryTypeProperty()
  entity_type!: EntryType;

  @ApiProperty({ description: 'The amount in USD before and after' })
  amount_usd!: AmountChange;

  @ApiProperty({ description: 'The rate before and after' })
  exchange_rate!: RateChange;
}

@ApiSchema({ description: 'What a conversion by the rates stored now changes' })
export class RepriceResponse {
  @ApiProperty({
    type: [RepricedEntry],
    description: 'Expenses, then incomes, in the order of their creation',
  })
  changed!: RepricedEntry[];

  @ApiProperty({ description: 'The remaining balance of the cycle before and after, in USD' })
  remaining_balance!: AmountChange;
}

/** @param balance in USD */
export const toRepriceResponse = (
  changes: readonly Change<CycleEntry>[],
  balance: { from: Money; to: Money },
): RepriceResponse => ({
  changed: changes.map(({ before, after }) => ({
    id: after.id,
    entity_type: after.type,
    amount_usd: { from: formatMoney(before.amountUsd), to: formatMoney(after.amountUsd) },
    exchange_rate: { from: before.usedRate(), to: after.usedRate() },
  })),
  remaining_balance: { from: formatMoney(balance.from), to: formatMoney(balance.to) },
});
