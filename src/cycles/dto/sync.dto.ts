import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { Changes } from '../../activity/changes.js';
import { EntryTypeProperty } from '../../ledger/dto/entry-type.dto.js';
import type { EntryType } from '../../ledger/entities/cycle-entry.entity.js';
import type { CycleExpense } from '../../ledger/entities/cycle-expense.entity.js';
import type { CycleIncome } from '../../ledger/entities/cycle-income.entity.js';
import { PROTECTION_REASONS, type TemplateDiff } from '../../ledger/generation/template-diff.js';
import { DateProperty, TextProperty, UuidProperty } from '../../platform/dto/response-fields.js';
import type { CalendarDate } from '../../platform/values/calendar-date.js';
import { EXAMPLE_ID } from '../../records/record-ids.js';
import { ExpensePreview, IncomePreview, toExpensePreview, toIncomePreview } from './preview.dto.js';

@ApiSchema({ description: 'An expense that a synchronization adds' })
class AddedExpense extends ExpensePreview {
  @EntryTypeProperty('cycle_expense')
  entity_type!: 'cycle_expense';
}

@ApiSchema({ description: 'An income that a synchronization adds' })
class AddedIncome extends IncomePreview {
  @EntryTypeProperty('cycle_income')
  entity_type!: 'cycle_income';
}

@ApiSchema({ description: 'An entry that a synchronization changes' })
class ChangedEntry {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The id of the expense or income' })
  id!: string;

  @EntryTypeProperty()
  entity_type!: EntryType;

  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['from', 'to'],
      properties: { from: {}, to: {} },
    },
    description: 'By field, as in the activity log',
    example: {
      amount: { from: '12000.00', to: '12800.00' },
      amount_usd: { from: '600.00', to: '640.00' },
    },
  })
  changes!: Changes;
}

@ApiSchema({ description: 'An entry that a synchronization removes' })
class RemovedEntry {
  @UuidProperty(EXAMPLE_ID.expense, { description: 'The id of the expense or income' })
  id!: string;

  @EntryTypeProperty()
  entity_type!: EntryType;

  @TextProperty({ example: 'Internet', description: 'The description of the entry' })
  description!: string;

  @DateProperty({ required: false, example: '2026-02-10', description: 'Of an expense' })
  due_date?: CalendarDate;

  @DateProperty({ required: false, example: '2026-02-13', description: 'Of an income' })
  income_date?: CalendarDate;
}

@ApiSchema({ description: 'An entry that a synchronization leaves as it is' })
class ProtectedEntry {
  @UuidProperty(EXAMPLE_ID.expense, { required: false, description: 'Not for `deleted`' })
  id?: string;

  @EntryTypeProperty()
  entity_type!: EntryType;

  @ApiProperty({
    enum: PROTECTION_REASONS,
    enumName: 'ProtectionReason',
    example: 'paid',
    description: 'The first that applies, in this order',
  })
  reason!: (typeof PROTECTION_REASONS)[number];

  @UuidProperty(EXAMPLE_ID.expenseTemplate, { required: false, description: 'For `deleted` only' })
  template_id?: string | null;

  @DateProperty({ required: false, example: '2026-02-01', description: 'For `deleted` only' })
  occurrence_date?: CalendarDate | null;
}

@ApiExtraModels(AddedExpense, AddedIncome)
@ApiSchema({ description: 'The differences between a cycle and its templates' })
export class SyncResponse {
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [{ $ref: getSchemaPath(AddedExpense) }, { $ref: getSchemaPath(AddedIncome) }],
    },
    description: 'Occurrences without an entry: expenses, then incomes, by date',
    example: [
      {
        entity_type: 'cycle_expense',
        description: 'Gimnasio',
        currency: 'MXN',
        amount: '899.00',
        amount_usd: '44.95',
        exchange_rate: { rate: '0.050000', rate_date: '2025-01-01' },
        planned_amount: '899.00',
        due_date: '2026-02-05',
        category: 'fixed',
        status: 'pending',
        paid: false,
        paid_at: null,
        comments: null,
        autopay_info: null,
        template_id: EXAMPLE_ID.expenseTemplate,
        occurrence_date: '2026-02-05',
        instalment: null,
        payment_method: { id: EXAMPLE_ID.paymentMethod, name: 'BBVA Débito', method_type: 'debit' },
        budget: null,
      },
    ],
  })
  add!: (AddedExpense | AddedIncome)[];

  @ApiProperty({ type: [ChangedEntry], description: 'Entries that differ from their occurrence' })
  change!: ChangedEntry[];

  @ApiProperty({ type: [RemovedEntry], description: 'Entries whose occurrence no longer exists' })
  remove!: RemovedEntry[];

  @ApiProperty({
    type: [ProtectedEntry],
    description:
      'Entries that would change or be removed but are paid, received, cancelled or edited, and occurrences whose ' +
      'entry was deleted by a user',
  })
  protected!: ProtectedEntry[];
}

export const toSyncResponse = (diff: TemplateDiff): SyncResponse => ({
  add: diff.add.map(toAddedEntry),
  change: diff.change.map(({ after, changes }) => ({
    id: after.id,
    entity_type: after.type,
    changes,
  })),
  remove: diff.remove.map(({ before }) => toRemovedEntry(before)),
  protected: diff.protected.map(({ entry, reason }) =>
    reason === 'deleted'
      ? {
          entity_type: entry.type,
          reason,
          template_id: entry.templateId,
          occurrence_date: entry.occurrenceDate,
        }
      : { id: entry.id, entity_type: entry.type, reason },
  ),
});

const toAddedEntry = (entry: CycleExpense | CycleIncome): AddedExpense | AddedIncome =>
  entry.type === 'cycle_expense'
    ? { entity_type: entry.type, ...toExpensePreview(entry) }
    : { entity_type: entry.type, ...toIncomePreview(entry) };

const toRemovedEntry = (entry: CycleExpense | CycleIncome): RemovedEntry => ({
  id: entry.id,
  entity_type: entry.type,
  description: entry.description,
  ...(entry.type === 'cycle_expense'
    ? { due_date: entry.dueDate }
    : { income_date: entry.incomeDate }),
});
