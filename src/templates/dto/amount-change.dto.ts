import { ApiSchema } from '@nestjs/swagger';
import type { Big } from 'big.js';
import { plainToInstance, Transform } from 'class-transformer';
import { DateField, field, type FieldOptions } from '../../platform/dto/fields.js';
import {
  HasAtMost,
  HasValidElements,
  IsAscending,
  toElements,
} from '../../platform/dto/list-fields.js';
import { MoneyField } from '../../platform/dto/money-fields.js';
import { DateProperty, MoneyProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { MAX_AMOUNT_CHANGES } from '../base-template.entity.js';

const FROM = 'Occurrences from this date on, before the weekend rule, have the amount';

@ApiSchema({ name: 'NewTemplateAmount', description: 'Another amount of a template' })
export class AmountChangeDto {
  @DateField({ example: '2026-04-01', description: FROM })
  from!: CalendarDate;

  @MoneyField({ example: '10342.50', description: 'In the currency of the template, above 0' })
  amount!: Big;
}

/** A list of 0 to 24 amounts, ascending by date. */
export const AmountChangesField = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      example: [{ from: '2026-04-01', amount: '10342.50' }],
      description:
        'Amounts in place of `base_amount`, ascending by `from`, each date once; a list replaces the one before',
      ...options,
    },
    { type: [AmountChangeDto], maxItems: MAX_AMOUNT_CHANGES },
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? toElements(value, MAX_AMOUNT_CHANGES, toAmountChange) : value,
    ),
    HasAtMost(MAX_AMOUNT_CHANGES),
    HasValidElements(),
    IsAscending(({ from }: AmountChangeDto) => from),
  );

const toAmountChange = (value: object): AmountChangeDto => plainToInstance(AmountChangeDto, value);

@ApiSchema({ name: 'TemplateAmount', description: 'Another amount of a template' })
export class AmountChangeResponse {
  @DateProperty({ example: '2026-04-01', description: FROM })
  from!: CalendarDate;

  @MoneyProperty({ example: '10342.50', description: 'In the currency of the template' })
  amount!: string;
}
