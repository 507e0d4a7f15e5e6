import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { ElementDto, ElementsField } from '../../ledger/dto/elements.dto.js';
import type { CycleIncome } from '../../ledger/entities/cycle-income.entity.js';
import { MoneyProperty } from '../../platform/dto/response-fields.js';
import { formatMoney, type Money } from '../../platform/values/money.js';
import { IncomeResponse, toIncomeResponse, UpdateIncomeDto } from './income.dto.js';

@ApiSchema({ description: 'A partial update of one of several incomes, or its deletion' })
export class IncomeElementDto extends IntersectionType(ElementDto, UpdateIncomeDto) {}

@ApiSchema({ description: 'Updates of several incomes' })
export class UpdateIncomesDto {
  @ElementsField(IncomeElementDto, 'The incomes that change')
  incomes!: IncomeElementDto[];
}

@ApiSchema({ description: 'Incomes after their update' })
export class UpdatedIncomesResponse {
  @ApiProperty({
    type: [IncomeResponse],
    description: 'In the order of the request, without deleted ones',
  })
  incomes!: IncomeResponse[];

  @MoneyProperty({ example: '1957.45', description: 'USD, of the cycle after the update' })
  remaining_balance!: string;
}

/** @param balance in USD */
export const toUpdatedIncomesResponse = (
  incomes: readonly CycleIncome[],
  balance: Money,
): UpdatedIncomesResponse => ({
  incomes: incomes.filter(({ active }) => active).map(toIncomeResponse),
  remaining_balance: formatMoney(balance),
});
