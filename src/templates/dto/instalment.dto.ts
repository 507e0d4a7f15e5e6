import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IntegerField } from '../../platform/dto/fields.js';
import { orNull } from '../../platform/openapi/nullable-reference.js';
import { MAX_INSTALMENTS } from '../recurrence/planned-schedule.js';

@ApiSchema({ name: 'Instalment', description: 'Which one of how many payments it is' })
export class InstalmentDto {
  @IntegerField({ min: 1, max: MAX_INSTALMENTS, example: 7, description: 'From 1 to `count`' })
  number!: number;

  @IntegerField({ min: 1, max: MAX_INSTALMENTS, example: 12, description: 'How many there are' })
  count!: number;
}

/** Documents an instalment; the schema of the class must be among those of the document. */
export const InstalmentOrNullProperty = (
  description = `Which one of how many, at most ${MAX_INSTALMENTS}: of a template by months that starts and ends; null: of none`,
): PropertyDecorator =>
  ApiProperty({ ...orNull(InstalmentDto), description, example: { number: 7, count: 12 } });
