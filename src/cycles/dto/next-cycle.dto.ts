import { ApiSchema } from '@nestjs/swagger';
import { DateProperty, MoneyProperty, TextProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';

@ApiSchema({ description: 'The proposed values of the next cycle' })
export class NextCycleResponse {
  @DateProperty({ example: '2026-03-02', description: 'The first day of the cycle' })
  start_date!: CalendarDate;

  @DateProperty({ example: '2026-04-12', description: 'Inclusive' })
  end_date!: CalendarDate;

  @MoneyProperty({ example: '5200.00', description: 'USD' })
  income_amount!: string;

  @TextProperty({ example: '2026-03-02 to 2026-04-12', description: 'Not used by another cycle' })
  name!: string;
}
