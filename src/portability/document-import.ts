import { plainToInstance } from 'class-transformer';
import type { Scope } from '../platform/database/database.js';
import type { CommentableType } from '../comments/comment.entity.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldError, FieldReason } from '../platform/errors/field-reasons.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { DocumentRow } from './document-reader.js';
import { ROW_CLASSES, type Section } from './dto/document.dto.js';
import { ImportedRecords } from './imported-records.js';
import { NewIds } from './new-ids.js';
import { findRecords } from './portability.queries.js';
import {
  SECTION_IMPORTS,
  type CyclesOfRecords,
  type ImportContext,
  type ImportServices,
  type Reference,
  type SectionImport,
} from './section-imports.js';

/** Problems that an error names. */
export const MAX_PROBLEMS = 20;

/** Adds the rows of a document to an account, in the transaction of the scope. */
export class DocumentImport {
  private readonly ids = new NewIds();
  private readonly context: ImportContext;

  constructor(services: ImportServices, scope: Scope, user: AuthenticatedUser) {
    this.context = { services, scope, records: new ImportedRecords(user, this.ids) };
  }

  /**
   * Adds valid rows of a section, whose references are added before.
   *
   * @throws ValidationFailedError with the places of rows that refer to nothing or are not unique; the transaction
   *   must not be committed
   */
  async add(section: Section, rows: readonly DocumentRow[]): Promise<void> {
    // The section has both the class of the rows and what takes them.
    const { references, add, unique } = SECTION_IMPORTS[section] as SectionImport<object>;
    const type: new () => object = ROW_CLASSES[section];
    const values = rows.map(({ value }) => plainToInstance(type, value));
    const paths = rows.map(({ path }) => path);
    const cycles = await this.resolve(
      values.flatMap((value, at) =>
        references(value).map((reference) => ({ ...reference, path: paths[at] ?? '' })),
      ),
    );
    const { stored, added } = await add(this.context, values, cycles);
    const previousIds = new Set<string>();
    const repeated = paths.filter((_path, at) => {
      const id = stored[at]?.id ?? '';
      const isUnique = added.has(id) && !previousIds.has(id);
      previousIds.add(id);
      return !isUnique;
    });
    assertNone(
      'repeated',
      repeated.map((path) => [path, `${path} repeats the ${unique} of another row`]),
    );
  }

  /** The cycle that each referenced record is or belongs to, by the new id of the record. */
  private async resolve(
    references: readonly (Reference & { path: string })[],
  ): Promise<CyclesOfRecords> {
    const { scope } = this.context;
    const found = new Map<string, string | null>();
    const wanted = references.flatMap(({ id, type, path, field }) =>
      typeof id === 'string' ? [{ id: this.ids.of(type, id), type, path: `${path}.${field}` }] : [],
    );
    for (const type of new Set(wanted.map((reference) => reference.type))) {
      const ids = wanted.filter((reference) => reference.type === type).map(({ id }) => id);
      for (const [id, cycleId] of await findRecords(scope, type, ids)) {
        found.set(id, cycleId);
      }
    }
    const missing = wanted.filter(({ id }) => !found.has(id));
    assertNone(
      'not_found',
      missing.map(({ path, type }) => [path, `${path} must be the id of ${SECTION_OF[type]}`]),
    );
    return found;
  }
}

/** What a reference to each type must name. */
const SECTION_OF: Record<CommentableType, string> = {
  payment_method: 'one of payment_methods',
  recurrent_expense: 'one of expense_templates',
  recurrent_income: 'one of income_templates',
  cycle: 'one of cycles',
  cycle_expense: 'one of expenses',
  cycle_income: 'one of incomes',
};

/** @throws ValidationFailedError with the first problems */
function assertNone(
  reason: FieldReason,
  problems: readonly (readonly [path: string, message: string])[],
): void {
  if (problems.length === 0) return;
  const errors = problems
    .slice(0, MAX_PROBLEMS)
    .map(([path, message]): [string, FieldError[]] => [path, [{ reason, message }]]);
  throw new ValidationFailedError(Object.fromEntries(errors));
}
