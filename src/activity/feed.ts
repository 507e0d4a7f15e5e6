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

/** Where a feed's items come from; `seq` is their order. */
export interface FeedSource<Item> {
  /** The place of an item; nothing when the reader may see no such item. */
  seqOf: (id: string) => Promise<string | undefined>;
  /** The newest ones, or the newest before a place. */
  list: (limit: number, beforeSeq?: string) => Promise<Item[]>;
}

/** A page of a feed. The cost is the same however deep it lies. */
export async function readFeed<Item>(
  { limit, before }: Pick<FeedQuery, 'limit' | 'before'>,
  source: FeedSource<Item>,
): Promise<FeedPage<Item>> {
  const beforeSeq = before === undefined ? undefined : await source.seqOf(before);
  if (before !== undefined && beforeSeq === undefined) return { items: [], hasMore: false };
  const items = await source.list(limit + 1, beforeSeq);
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
