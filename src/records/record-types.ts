/** What is declared of a kind of records beside its classes, which `record-kinds.ts` has. */
interface RecordType {
  table: string;
  /** SQL: the cycle that a record is or belongs to. */
  cycleId: 'id' | 'cycle_id' | 'NULL::uuid';
  /** Whether inactive records are deleted; others can still be read and commented on. */
  isDeletable: boolean;
  isCommentable: boolean;
  /** The place in the order in which all writes lock records; null: each is locked by itself. */
  lockRank: number | null;
  /** Its rows in an exported document. */
  section: string;
}

/**
 * Every kind of records by its name in the activity log, which is the `resource` of errors, too. In
 * the order in which `GET /changes` lists records of the same instant: a new one comes last.
 */
export const RECORD_TYPES = {
  payment_method: {
    table: 'payment_methods',
    cycleId: 'NULL::uuid',
    isDeletable: false,
    isCommentable: true,
    lockRank: 6,
    section: 'payment_methods',
  },
  recurrent_expense: {
    table: 'expense_templates',
    cycleId: 'NULL::uuid',
    isDeletable: false,
    isCommentable: true,
    lockRank: 4,
    section: 'expense_templates',
  },
  recurrent_income: {
    table: 'income_templates',
    cycleId: 'NULL::uuid',
    isDeletable: false,
    isCommentable: true,
    lockRank: 5,
    section: 'income_templates',
  },
  cycle: {
    table: 'cycles',
    cycleId: 'id',
    isDeletable: true,
    isCommentable: true,
    lockRank: 1,
    section: 'cycles',
  },
  cycle_expense: {
    table: 'cycle_expenses',
    cycleId: 'cycle_id',
    isDeletable: true,
    isCommentable: true,
    lockRank: 2,
    section: 'expenses',
  },
  cycle_income: {
    table: 'cycle_incomes',
    cycleId: 'cycle_id',
    isDeletable: true,
    isCommentable: true,
    lockRank: 3,
    section: 'incomes',
  },
  comment: {
    table: 'comments',
    cycleId: 'cycle_id',
    isDeletable: true,
    isCommentable: false,
    lockRank: null,
    section: 'comments',
  },
  budget: {
    table: 'budgets',
    cycleId: 'NULL::uuid',
    isDeletable: false,
    isCommentable: false,
    lockRank: 7,
    section: 'budgets',
  },
  balance: {
    table: 'balances',
    cycleId: 'NULL::uuid',
    isDeletable: true,
    isCommentable: false,
    lockRank: 8,
    section: 'balances',
  },
  card_statement: {
    table: 'card_statements',
    cycleId: 'NULL::uuid',
    isDeletable: true,
    isCommentable: false,
    lockRank: 9,
    section: 'card_statements',
  },
} as const satisfies Record<string, RecordType>;

export type EntityType = keyof typeof RECORD_TYPES;
export const ENTITY_TYPES = Object.keys(RECORD_TYPES) as EntityType[];

/** All types but comments: their changes are recorded as such and can be undone. */
export const STORED_TYPES = ENTITY_TYPES.filter((type) => type !== 'comment');
export type StoredType = (typeof STORED_TYPES)[number];

/** The stored types whose inactive records are deleted. */
export const DELETABLE_TYPES = STORED_TYPES.filter((type) => RECORD_TYPES[type].isDeletable);

export const LOCK_ORDER = STORED_TYPES.toSorted(
  (a, b) => RECORD_TYPES[a].lockRank - RECORD_TYPES[b].lockRank,
);

export type CommentableType = {
  [Type in EntityType]: (typeof RECORD_TYPES)[Type]['isCommentable'] extends true ? Type : never;
}[EntityType];

export const COMMENTABLE_TYPES = ENTITY_TYPES.filter(
  (type): type is CommentableType => RECORD_TYPES[type].isCommentable,
);

/** The sections of an exported document. */
export type Section = (typeof RECORD_TYPES)[EntityType]['section'];
