import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_TYPES, type EntryType } from '../entities/cycle-entry.entity.js';

const ENTRY_TYPE = 'Whether it is an expense or an income';

/** Whether an element is an expense or an income; with a type, it is always that one. */
export const EntryTypeProperty = (type?: EntryType): PropertyDecorator =>
  ApiProperty(
    type
      ? { type: 'string', enum: [type], description: ENTRY_TYPE, example: type }
      : {
          enum: ENTRY_TYPES,
          enumName: 'EntryType',
          description: ENTRY_TYPE,
          example: 'cycle_expense',
        },
  );
