import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  DateProperty,
  MoneyProperty,
  TextProperty,
  UuidProperty,
} from '../../platform/dto/response-fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

@ApiSchema({ description: 'The cycle that a next one follows' })
class FollowedCycle {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  cycle_id!: string;

  @MoneyProperty({
    example: '1840.00',
    description: 'USD, as `GET /cycles/{id}/close` has it; of a completed cycle too',
  })
  left_over!: string;
}

@ApiExtraModels(FollowedCycle)
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

  @ApiProperty({
    ...orNull(FollowedCycle),
    description:
      'The cycle with the latest end date; not a field of `POST /cycles`; null: there is no cycle',
  })
  follows!: FollowedCycle | null;
}
