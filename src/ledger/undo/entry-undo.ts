/** What the undo of a change takes back in an expense or income. */
import type { Undo } from '../../activity/undo.js';
import type { CycleEntry, RecordedChoices } from '../entities/cycle-entry.entity.js';
import { forgetUndonePlan, isOfSynchronization } from '../entities/planned-amount.js';
import { keepAsEdited } from '../generation/generated-entry.js';

const CONVERSION_FIELDS = ['amount_usd', 'exchange_rate'];

/** Fields that a synchronization sets, and that do not make an entry count as edited. */
const UNCOMPARED_FIELDS = ['budget_id', 'instalment'];

/**
 * Takes back what a record says of an entry, the conversion to USD included; the other values stay.
 *
 * @throws ValidationFailedError when the payment method or the budget is inactive; DomainError
 *   CURRENCY_CONVERSION_ERROR
 */
export function restoreEntry(
  entry: CycleEntry,
  undo: Pick<Undo, 'operationId' | 'values'>,
  choices: RecordedChoices,
): void {
  entry.restore(undo.values, choices);
  keepFromSynchronization(entry, undo);
  forgetUndonePlan(entry, undo);
}

/**
 * What a synchronization did counts as edited once it is taken back: it shows as edited values, but
 * for a removal, a mere conversion, a budget and an instalment.
 */
function keepFromSynchronization(
  entry: CycleEntry,
  undo: Pick<Undo, 'operationId' | 'values'>,
): void {
  const fields = Object.keys(undo.values).filter((field) => !UNCOMPARED_FIELDS.includes(field));
  const isConversion = fields.every((field) => CONVERSION_FIELDS.includes(field));
  const isHidden = isConversion && (fields.length > 0 || isOfSynchronization(entry, undo));
  const isGenerated = entry.active && entry.occurrenceDate !== null;
  if (isGenerated && (entry.generated === null || isHidden)) keepAsEdited(entry);
}
