/** What the rows of several sections have. */
import { EXAMPLE_INSTANT } from '../../platform/dto/example-values.js';
import { BooleanField, TimestampField, UuidField } from '../../platform/dto/fields.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';

export const IGNORED = 'Ignored by an import, which sets the time of the import';

export const METHOD = 'One of payment_methods, active or not';

export class RecordFields {
  @UuidField({ example: EXAMPLE_ID.expense, description: 'Replaced by an import' })
  id!: string;

  @TimestampField({ optional: true, example: EXAMPLE_INSTANT.created, description: IGNORED })
  created_at?: Date | null;

  @TimestampField({ optional: true, example: EXAMPLE_INSTANT.updated, description: IGNORED })
  updated_at?: Date | null;
}

export class ActiveFields extends RecordFields {
  @BooleanField({ example: true, description: 'false: deleted' })
  active!: boolean;
}
