import { ApiSchema } from '@nestjs/swagger';
import { TextField, UuidField } from '../../platform/dto/fields.js';
import { PageQuery } from '../../platform/dto/page.js';
import { QueryBooleanField } from '../../platform/dto/query-fields.js';
import { EnumProperty, TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { CYCLE_STATUSES, type CycleStatus } from '../entities/cycle.entity.js';

/** What expenses and incomes of all cycles are searched by, beside their days. */
export class EntrySearchQuery extends PageQuery {
  @QueryBooleanField({
    description: 'true: of cycles that are not completed; false: of completed ones. Default: both',
  })
  open_cycles?: boolean;

  @UuidField({ omittable: true, description: 'An unknown template matches nothing' })
  template_id?: string;

  @TextField({
    omittable: true,
    min: 1,
    max: 100,
    example: 'super',
    description:
      'Text in the description, without regard to case, accents and the kind of white space: `super` finds `Súper`, ' +
      '`strasse` finds `Straße`',
  })
  q?: string;
}

@ApiSchema({ description: 'The cycle of an expense or an income' })
export class CycleReference {
  @UuidProperty(EXAMPLE_ID.cycle, { description: 'The id of the cycle' })
  id!: string;

  @TextProperty({ example: 'January to March 2026', description: 'The name of the cycle' })
  name!: string;

  @EnumProperty(CYCLE_STATUSES, 'CycleStatus', {
    example: 'active',
    description: 'The stage of the cycle',
  })
  status!: CycleStatus;
}
