import type { EntityManager } from 'typeorm';
import type { CommentableType } from '../comments/comment.entity.js';
import { ValidationFailedError } from '../platform/errors/domain-error.js';
import type { FieldError, FieldReason } from '../platform/errors/field-reasons.js';
import type { AuthenticatedUser } from '../users/current-user.decorator.js';
import type { DocumentRow } from './document-reader.js';
import { ImportedRecords } from './imported-records.js';
import { NewIds } from './new-ids.js';
import { findRecords } from './portability.queries.js';
import { sectionImports, type ImportServices, type Reference } from './section-imports.js';
import type { Section } from './sections.js';

/** Problems that an error names. */
export const MAX_PROBLEMS = 20;

/** Adds the rows of a document to an account, in the transaction of the manager. */
export class DocumentImport {
  private readonly ids = new NewIds();
  private readonly imports: ReturnType<typeof sectionImports>;

  constructor(
    services: ImportServices,
    private readonly manager: EntityManager,
    private readonly user: AuthenticatedUser,
  ) {
    const records = new ImportedRecords(user, this.ids);
    this.imports = sectionImports(services, manager, user, records);
  }

  /**
   * Adds valid rows of a section, whose references are added before.
   *
   * @throws ValidationFailedError with the places of rows that refer to nothing or are not unique; the transaction
   *   must not be committed
   */
  async add(section: Section, rows: readonly DocumentRow[]): Promise<void> {
    const { references, add, unique } = this.imports[section](rows.map(({ value }) => value));
    const cycles = await this.resolve(
      rows.flatMap(({ path }, at) =>
        (references[at] ?? []).map((reference) => ({ ...reference, path })),
      ),
    );
    const { ids, added } = await add(cycles);
    const seen = new Set<string>();
    const repeated = rows.filter((_row, at) => {
      const id = ids[at] ?? '';
      const isUnique = added.has(id) && !seen.has(id);
      seen.add(id);
      return !isUnique;
    });
    assertNone(
      'repeated',
      repeated.map(({ path }) => [path, `${path} repeats the ${unique} of another row`]),
    );
  }

  /** The cycle that each referenced record is or belongs to, by the new id of the record. */
  private async resolve(
    references: readonly (Reference & { path: string })[],
  ): Promise<ReadonlyMap<string, string | null>> {
    const found = new Map<string, string | null>();
    const wanted = references.flatMap(({ id, type, path, field }) =>
      typeof id === 'string' ? [{ id: this.ids.of(type, id), type, path: `${path}.${field}` }] : [],
    );
    for (const type of new Set(wanted.map((reference) => reference.type))) {
      const ids = wanted.filter((reference) => reference.type === type).map(({ id }) => id);
      for (const [id, cycleId] of await findRecords(this.manager, this.user, type, ids)) {
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
