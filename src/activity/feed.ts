import { EnumField, UuidField } from '../platform/dto/fields.js';
import { QueryIntegerField } from '../platform/dto/query-fields.js';
import { ENTITY_TYPES, type EntityType } from '../records/record-types.js';

const MAX_PAGE_SIZE = 200;

/** The scope and the page of a feed. */
export class FeedQuery {
  @EnumField(ENTITY_TYPES, 'EntityType', { omittable: true, description: 'Requires entity_id' })
  entity_type?: EntityType;

  @UuidField({ omittable: true, description: 'Requires entity_type' })
  entity_id?: string;

  @UuidField({ omittable: true, description: 'A cycle, its expenses and its incomes' })
  cycle_id?: string;

  @QueryIntegerField({
    min: 1,
    max: MAX_PAGE_SIZE,
    default: 50,
    description: 'The maximum number of items',
  })
  limit = 50;

  @UuidField({
    omittable: true,
    description: 'The id of the last item of the previous page; older items follow',
  })
  before?: string;
}

/** The scope and the page of the activity log. */
export class ActivityQuery extends FeedQuery {
  @UuidField({ omittable: true, description: 'All records that one request wrote' })
  operation_id?: string;
}

/** An entity, a cycle, or the records of a request; or several of them. */
export interface FeedScope {
  entityType?: EntityType;
  entityId?: string;
  cycleId?: string;
  operationId?: string;
}

type FilterParameters = Partial<
  Pick<ActivityQuery, 'entity_type' | 'entity_id' | 'cycle_id' | 'operation_id'>
>;

/** The scope of a query; undefined without one. An entity needs both type and id. */
export function scopeOf({
  entity_type: entityType,
  entity_id: entityId,
  cycle_id: cycleId,
  operation_id: operationId,
}: FilterParameters): FeedScope | undefined {
  const entity = entityType && entityId ? { entityType, entityId } : undefined;
  return entity || cycleId || operationId ? { ...entity, cycleId, operationId } : undefined;
}

export interface FeedPage<Item> {
  /** Newest first. */
  items: Item[];
  hasMore: boolean;
}

/** A slice of a feed: the newest items, or the newest before a given item. */
export interface FeedSlice {
  limit: number;
  /** An item id; the slice is empty if the reader cannot see the item. */
  before?: string;
}

/** Reads a page of a feed; reads one more item to know whether there are more. */
export async function readFeed<Item>(
  { limit, before }: FeedSlice,
  list: (slice: FeedSlice) => Promise<Item[]>,
): Promise<FeedPage<Item>> {
  const items = await list({ limit: limit + 1, before });
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
