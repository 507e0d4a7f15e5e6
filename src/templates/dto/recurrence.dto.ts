/** The schemas of the OpenAPI document that tie `recurrence_config` to `recurrence_type`. */
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema, PartialType } from '@nestjs/swagger';
import { HasPartialFieldUnion, HasFieldUnion } from '../../platform/openapi/field-union.js';
import { RECURRENCE_TYPES, type RecurrenceType } from '../recurrence/recurrence.js';
import { configClassOf } from './recurrence-config.dto.js';

const NAME_OF_TYPE: Record<RecurrenceType, string> = {
  weekly: 'WeeklyRecurrence',
  bi_weekly: 'BiWeeklyRecurrence',
  monthly: 'MonthlyRecurrence',
  custom: 'CustomRecurrence',
};

const RECURRENCES = Object.fromEntries(
  RECURRENCE_TYPES.map((type) => [type, recurrenceClass(type)]),
);

const UPDATED_RECURRENCES = RECURRENCE_TYPES.map(updatedRecurrenceClass);

/** Documents which `recurrence_config` each `recurrence_type` has. */
export const HasRecurrence = (): ClassDecorator => HasFieldUnion('recurrence_type', RECURRENCES);

/** Documents the same for a partial update. */
export const HasUpdatedRecurrence = (): ClassDecorator => HasPartialFieldUnion(UPDATED_RECURRENCES);

function recurrenceClass(type: RecurrenceType): Type {
  @ApiSchema({
    name: NAME_OF_TYPE[type],
    description: `A recurrence rule with \`recurrence_type\` \`${type}\``,
  })
  class Recurrence {
    @ApiProperty({ type: 'string', enum: [type], description: 'The type of rule', example: type })
    recurrence_type!: RecurrenceType;

    @ApiProperty({ type: configClassOf(type), description: 'The config of a rule of this type' })
    recurrence_config!: object;
  }
  return Recurrence;
}

function updatedRecurrenceClass(type: RecurrenceType): Type {
  @ApiSchema({
    name: `Updated${NAME_OF_TYPE[type]}`,
    description:
      `The changes of a rule with \`recurrence_type\` \`${type}\`. Without \`recurrence_type\`, the type ` +
      'does not change; with a new one, `recurrence_config` is required',
  })
  class UpdatedRecurrence extends PartialType(recurrenceClass(type)) {}
  return UpdatedRecurrence;
}
