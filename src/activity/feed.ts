import { EnumField, QueryIntegerField, UuidField } from '../common/http/fields.js';
import { ENTITY_TYPES, type EntityType } from './activity-record.entity.js';

export const MAX_PAGE_SIZE = 200;

/** What a feed is asked for: its scope and a page of it. */
export class FeedQuery {
  @EnumField(ENTITY_TYPES, 'EntityType', { omittable: true, description: 'With entity_id' })
  entity_type?: EntityType;

  @UuidField({ omittable: true, description: 'With entity_type' })
  entity_id?: string;

  @UuidField({ omittable: true, description: 'Everything tied to a cycle, its expenses included' })
  cycle_id?: string;

  @QueryIntegerField({ min: 1, max: MAX_PAGE_SIZE, default: 50 })
  limit = 50;

  @UuidField({ omittable: true, description: 'The id of the last one seen: what is older follows' })
  before?: string;
}

/** At least one of the two. */
export interface FeedScope {
  entityType?: EntityType;
  entityId?: string;
  cycleId?: string;
}

/** The scope a query names; half of an entity (type or id alone) is none. */
export function scopeOf(query: FeedQuery): FeedScope | undefined {
  const { entity_type: entityType, entity_id: entityId, cycle_id: cycleId } = query;
  const entity = entityType && entityId ? { entityType, entityId } : undefined;
  return entity || cycleId ? { ...entity, ...(cycleId && { cycleId }) } : undefined;
}

export interface FeedPage<Item> {
  /** Newest first. */
  items: Item[];
  hasMore: boolean;
}

/** How much of a feed is listed: the newest, or the newest before an item that was seen. */
export interface FeedSlice {
  limit: number;
  /** An id; when the reader may see no such item, nothing is before it. */
  before?: string;
}

/** A page of a feed, by what lists its items. */
export async function readFeed<Item>(
  { limit, before }: FeedSlice,
  list: (slice: FeedSlice) => Promise<Item[]>,
): Promise<FeedPage<Item>> {
  const items = await list({ limit: limit + 1, before });
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
